import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { makeScratchDatabase, type ScratchDatabase } from '../../../fakes/scratch-database.ts';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import type { Gateway } from '../support/gateway.ts';
import { type Box, boxOf, Gateways, statuses, times } from '../support/gateways.ts';
import { generator, seed } from '../support/random.ts';
import { required } from '../support/required.ts';
import type { Answer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Runs three gateways on one PostgreSQL under load, and repeatedly kills one of them. */
const seconds = Number(process.env.BOXGATE_LOAD_SECONDS ?? 20);
const boxLimit = 12;
const routeLimit = 5;
/** The janitor looks for peers of interrupted registrations after one minute and again after two. */
const cleanedWithinMs = 180_000;
const random = generator(seed);

let manager: WgEasy;
let database: ScratchDatabase;
let gateways: Gateways;
before(async () => {
  database = await makeScratchDatabase(required('GATEWAY_TEST_POSTGRES'));
  manager = await startWgEasy({ loginMs: 60, mutationMs: 30 });
  const more = { BOX_LIMIT: String(boxLimit), ROUTE_LIMIT: String(routeLimit) };
  gateways = new Gateways(3, { manager, domain: 'pub.example', store: database.url, more }, random);
  await gateways.start();
});
after(async () => {
  await gateways.kill();
  await manager.close();
  await database.drop();
});

/** State according to successful responses. `maybe`: interrupted changes. `lost`: the box's current token is unknown. */
type Known = { box: Box; routes: Set<string>; maybe: Set<string>; lost: boolean };
const boxes = new Map<string, Known>();
const counts = { registered: 0, published: 0, withdrawn: 0, rotated: 0, gone: 0, cut: 0, kills: 0 };

/** Returns null if the gateway was killed and is still to restart. */
async function asked(ask: (gateway: Gateway) => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask(gateways.any());
  } catch {
    counts.cut += 1;
    return null;
  }
}

async function done(ask: (gateway: Gateway) => Promise<Answer>, status: number): Promise<Answer | null> {
  const answer = await asked(ask);
  if (answer !== null) assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer;
}

const wasLoad = () => counts.kills > 2 && counts.published > 10;

/** Whether the load may end. A busy machine needs more time for the same load. */
const over = (end: number) => Date.now() > end && (wasLoad() || Date.now() > end + 5 * seconds * 1000);

async function work(number: number, end: number): Promise<void> {
  let mine: Known | null = null;
  for (let round = 0; !over(end); round += 1) {
    if (mine === null || mine.lost) mine = await newBox(`box ${number}`);
    if (mine === null) await pause(100);
    else await step(mine, `k${number}-${round}`);
  }
}

/** Returns null if the limit is reached: an interrupted registration counts for a minute. */
async function newBox(name: string): Promise<Known | null> {
  const answer = await asked((gateway) => gateway.register(name));
  if (answer === null || answer.status !== 201) return null;
  const known = { box: boxOf(answer), routes: new Set<string>(), maybe: new Set<string>(), lost: false };
  boxes.set(known.box.id, known);
  counts.registered += 1;
  return known;
}

async function step(known: Known, name: string): Promise<void> {
  const choice = random();
  const isFull = known.routes.size + known.maybe.size >= routeLimit;
  if (choice < 0.05) await deregister(known);
  else if (choice < 0.2) await rotate(known);
  else if (known.routes.size > 0 && (choice < 0.5 || isFull)) await unpublish(known);
  else if (isFull) await deregister(known);
  else await publish(known, name);
}

async function deregister(known: Known): Promise<void> {
  known.lost = true;
  if ((await done((gateway) => gateway.as(known.box).deregister(), 200)) === null) return;
  boxes.delete(known.box.id);
  counts.gone += 1;
}

async function rotate(known: Known): Promise<void> {
  const answer = await done((gateway) => gateway.as(known.box).rotate(), 200);
  known.lost = answer === null;
  if (answer === null) return;
  known.box.token = answer.body.box_token;
  counts.rotated += 1;
}

async function unpublish({ box, routes, maybe }: Known): Promise<void> {
  const [route = ''] = routes;
  routes.delete(route);
  maybe.add(nameOf(route));
  const [, id = ''] = route.split('=');
  if ((await done((gateway) => gateway.as(box).unpublish(id), 200)) === null) return;
  maybe.delete(nameOf(route));
  counts.withdrawn += 1;
}

async function publish({ box, routes, maybe }: Known, name: string): Promise<void> {
  maybe.add(name);
  const answer = await done((gateway) => gateway.as(box).publish(name, 80), 201);
  if (answer === null) return;
  maybe.delete(name);
  routes.add(`${name}=${answer.body.id}`);
  counts.published += 1;
}

const nameOf = (route: string) => route.split('=')[0] ?? '';

async function killAgainAndAgain(end: number): Promise<void> {
  // After a killed login the next one waits 5 s, longer than any process lives here: nothing would ever register.
  await until('a box is registered', () => counts.registered > 0);
  while (!over(end)) {
    // This pause chooses the moment of the kill; it does not synchronise.
    await pause(100 + random() * 700);
    const victim = gateways.any();
    await victim.kill();
    await victim.start();
    counts.kills += 1;
  }
}

test(`${seconds} s of kills lose nothing that was answered (seed ${seed})`, async (t) => {
  const end = Date.now() + seconds * 1000;
  await Promise.all([...[1, 2, 3, 4, 5].map((number) => work(number, end)), killAgainAndAgain(end)]);
  t.diagnostic(JSON.stringify(counts));
  assert.ok(wasLoad(), 'there was a load');

  for (const { box, routes, maybe, lost } of boxes.values()) {
    if (lost) continue;
    const listed = (await gateways.routesOf(box)).map(({ subdomain, id }) => `${subdomain}=${id}`);
    for (const route of routes) assert.ok(listed.includes(route), `${route} is still there`);
    const more = listed.filter((route) => !routes.has(route) && !maybe.has(nameOf(route)));
    assert.deepEqual(more, [], 'what was withdrawn is gone');
  }
  const [first, ...others] = gateways.all;
  for (const other of others)
    await until('all directories hold the same', () => isDeepStrictEqual(other.routeFiles(), first?.routeFiles()));
  const { maxMutationsAwaited, maxLoginsInFlight, loginsBesideMutations } = manager.counters();
  assert.deepEqual(
    [maxMutationsAwaited, maxLoginsInFlight, loginsBesideMutations, manager.collisions()],
    [1, 1, 0, 0],
    'the manager was asked one thing at a time',
  );
});

test('what was cut off is cleaned: every peer has its box, and the limit is exact', async (t) => {
  const asked = Date.now();
  const gateway = gateways.nth(0);
  const peers = () => manager.clients().map(({ name }) => String(name));
  await until(
    'every peer has its box, every box its peer, and none is half registered',
    async () => {
      const lines = await gateway.boxLines();
      const boxes = lines.map((line) => `boxgate-${/\bbox_\w+/.exec(line)?.[0]}`);
      return isDeepStrictEqual(boxes.sort(), peers().sort()) && !lines.some((line) => / pending\b/.test(line));
    },
    cleanedWithinMs,
  );
  assert.equal(manager.live().length, manager.clients().length, 'on the interface too');
  t.diagnostic(`after ${Math.round((Date.now() - asked) / 1000)} s`);
  const free = boxLimit - (await gateway.listBoxes()).length;
  const answers = await times(free + 3, (number) => gateways.nth(number).register('one more'));
  assert.deepEqual(statuses(answers), free === 0 ? { 403: 3 } : { 201: free, 403: 3 });
});

test('a gateway that is killed during its login locks nobody out', async (t) => {
  const scratch = await makeScratchDatabase(required('GATEWAY_TEST_POSTGRES'));
  // The login is slow, so that the kill meets it.
  const slow = await startWgEasy({ loginMs: 2000 });
  const both = new Gateways(2, { manager: slow, domain: 'pub.example', store: scratch.url }, random);
  t.after(async () => {
    await both.kill();
    await slow.close();
    await scratch.drop();
  });
  await both.nth(0).start(); // It logs in to look for mistakes of the operator.
  await until('a login is under way', () => slow.counters().logins === 1);
  await both.nth(0).kill();
  await both.nth(1).start();
  boxOf(await both.nth(1).register('next'));
  assert.deepEqual([slow.counters().logins, slow.collisions()], [2, 0]);
});

test('no token and no session of the manager is in the database in clear', () => {
  const files = readFolder(join(required('BOXGATE_REAL'), 'postgres'));
  const holds = (text: string) => files.some(({ bytes }) => bytes.includes(text));
  const [{ box } = { box: { id: '', token: '' } }] = boxes.values();
  assert.ok(holds(box.id), 'what is written there can be found');
  assert.match(box.token, /^bgt_/);
  // The prefixes of tokens and of this manager's sessions.
  for (const secret of ['bgt_', 'Fe26.2*']) assert.ok(!holds(secret), `${secret}… is there`);
});

/** Every file below a folder with its content; skips files that are removed meanwhile. */
function readFolder(folder: string): { path: string; bytes: Buffer }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      try {
        return [{ path, bytes: readFileSync(path) }];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
}
