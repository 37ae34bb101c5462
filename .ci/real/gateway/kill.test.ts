import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway, registrationToken } from '../support/gateway.ts';
import { generator, pick, seed } from '../support/random.ts';
import { readFolder } from '../support/read-folder.ts';
import { until } from '../support/until.ts';
import { operations } from './cut-operations.ts';
import { type KnownBox, KnownBoxes } from './known-boxes.ts';
import { type Overheard, overhear } from './overhear.ts';
import { checkPeersOfBoxes } from './peers-of-boxes.ts';

/**
 * Kills the gateway at random moments of every changing operation, with the store in a file. After the next start
 * every confirmed change exists, and every interrupted change took effect completely or not at all.
 */
const rounds = Number(process.env.BOXGATE_KILL_ROUNDS ?? 100);
const boxLimit = 6;
/** The janitor looks for peers of interrupted registrations after one minute and again after two. */
const cleanedWithinMs = 180_000;

type Trial = { gateway: Gateway; manager: WgEasy; between: Overheard; known: KnownBoxes; calm: KnownBox };

describe('with wg-easy', { concurrency: true }, () => {
  for (const dialect of ['15.4', '14'] as const) {
    const what = `${dialect}, kill -9 at ${rounds} moments loses nothing and leaves nothing (seed ${seed})`;
    test(what, async (t) => {
      const random = generator(seed + dialect.length);
      const trial = await begin(t, dialect);
      const counts: Record<string, number> = {};
      for (let round = 0; round < rounds; round += 1) {
        const kind = Object.keys(operations)[round % Object.keys(operations).length] ?? '';
        const ms = Math.floor(random() ** 2 * 150);
        try {
          const outcome = `${kind} ${await cutOff(trial, kind, `name-${round}`, ms, random)}`;
          counts[outcome] = (counts[outcome] ?? 0) + 1;
        } catch (error) {
          throw new Error(`round ${round}: ${kind}, killed after ${ms} ms (seed ${seed})`, { cause: error });
        }
      }
      t.diagnostic(JSON.stringify(counts));
      await peersFollow(trial);
      await limitAndNamesAreWhole(trial);
      await everybodyLeaves(trial);
      nothingIsLeft(trial);
    });
  }
});

async function begin(t: TestContext, dialect: '15.4' | '14'): Promise<Trial> {
  const manager = await startWgEasy({ dialect, loginMs: 20, mutationMs: 10 });
  const between = await overhear(manager.url);
  const { username, password } = manager;
  const gateway = new Gateway({
    manager: { url: between.url, username, password },
    domain: 'pub.example',
    // At the end a few boxes publish all names again. The number of names depends on the kills.
    more: { BOX_LIMIT: String(boxLimit), ROUTE_LIMIT: '1000' },
  });
  t.after(async () => {
    await gateway.kill();
    between.close();
    await manager.close();
  });
  await gateway.start();
  const known = new KnownBoxes(gateway);
  const calm = await known.register('calm');
  await known.publish(calm, 'calm');
  return { gateway, manager, between, known, calm };
}

/** Kills the gateway `ms` after a request. Returns whether the request was answered before the kill. */
async function cutOff(
  trial: Trial,
  kind: string,
  name: string,
  ms: number,
  random: () => number,
): Promise<'answered' | 'cut off'> {
  const { gateway, manager, known } = trial;
  const box = await someBox(trial, kind, name, random);
  const operation = operations[kind]?.(gateway, known, box, name);
  assert.ok(operation !== undefined);
  const asked = operation.ask().catch(() => null);
  // This pause chooses the moment of the kill; it does not synchronise.
  await pause(ms);
  await gateway.kill();
  const answer = await asked;
  checkPeersOfBoxes(gateway, manager.clients);
  assert.ok((await gateway.listBoxes()).length <= boxLimit, 'the limit holds');
  if (random() < 0.25) await killedAtItsStart(gateway, random() * 400);
  await gateway.start();
  if (answer === null) await operation.unanswered();
  else operation.answered(answer);
  // If a rotation's response was lost, the box exists but its token is unknown.
  if (kind === 'rotate') await removeStrangers(trial);
  await known.check();
  checkPeersOfBoxes(gateway, manager.clients);
  return answer === null ? 'cut off' : 'answered';
}

async function killedAtItsStart(gateway: Gateway, ms: number): Promise<void> {
  const started = gateway.start().catch(() => undefined);
  await pause(ms);
  await gateway.kill();
  await started;
}

/** Returns a box with a route, but not the one that must stay unaffected. Makes room for one more box. */
async function someBox(trial: Trial, kind: string, name: string, random: () => number): Promise<KnownBox> {
  const { gateway, known, calm } = trial;
  if ((await gateway.listBoxes()).length >= boxLimit) await removeStrangers(trial);
  const others = known.boxes.filter((box) => box !== calm);
  if (known.boxes.length >= boxLimit) {
    const [last] = others.splice(0, 1);
    if (last !== undefined) known.deregistered(last, await gateway.as(last).deregister());
  }
  if (kind === 'register') return calm;
  const box = others.length === 0 ? await known.register('other') : pick(random, others);
  if (box.routes.size === 0) await known.publish(box, `${name}-before`);
  return box;
}

/** Removes boxes whose token was lost, as the operator, while the gateway is stopped. */
async function removeStrangers({ gateway, known }: Trial): Promise<void> {
  if ((await known.strangers()).length === 0) return;
  await gateway.stop();
  // Lists the boxes again, because the janitor may have removed some meanwhile.
  for (const id of await known.strangers()) await gateway.removeBox(id);
  await gateway.start();
}

async function peersFollow({ gateway, manager }: Trial): Promise<void> {
  const peers = () => manager.clients().map(({ name }) => String(name));
  const boxes = async () => (await gateway.listBoxes()).map((id) => `boxgate-${id}`);
  await until(
    'the janitor has removed the peers of what was cut off',
    async () => isDeepStrictEqual((await boxes()).sort(), peers().sort()),
    cleanedWithinMs,
  );
}

async function limitAndNamesAreWhole(trial: Trial): Promise<void> {
  const { gateway, known, calm } = trial;
  await removeStrangers(trial);
  const free = boxLimit - known.boxes.length;
  const answers = await Promise.all(Array.from({ length: free + 1 }, () => gateway.register('last')));
  const [refused, ...registered] = answers.sort((one, other) => other.status - one.status);
  assert.equal(refused?.status, 403);
  const boxes = [calm, ...registered.map((answer) => known.registered(answer))];
  for (const [index, name] of known.freeNames().entries())
    await known.publish(boxes[index % boxes.length] ?? calm, name);
  await known.check();
}

async function everybodyLeaves({ gateway, manager, known }: Trial): Promise<void> {
  for (const box of [...known.boxes]) known.deregistered(box, await gateway.as(box).deregister());
  await until('no peer is left', () => manager.clients().length === 0, cleanedWithinMs);
  assert.deepEqual(manager.live(), [], 'on the interface neither');
  assert.equal(await gateway.stop(), 0);
  assert.deepEqual(await gateway.listBoxes(), []);
}

/** Asserts that no route file is left and that the remaining files contain no secret. */
function nothingIsLeft({ gateway, manager, between, known }: Trial): void {
  assert.deepEqual(
    readdirSync(gateway.routes).filter((name) => name !== '.boxgate'),
    [],
  );
  const cookies = between.cookies();
  // On a slow machine few requests are answered before the kill. But each box that filled the limit has a token.
  assert.ok(cookies.length > 0 && known.tokens.length >= boxLimit, 'there were secrets');
  const secrets = [...known.tokens, ...cookies, registrationToken, manager.password];
  const written = [...readFolder(gateway.state), ...readFolder(gateway.routes)];
  assert.ok(
    written.some(({ bytes }) => bytes.includes('calm')),
    'what is written there can be found',
  );
  for (const secret of secrets) {
    const forms = [secret, decodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    for (const { path, bytes } of written)
      assert.ok(
        forms.every((form) => !bytes.includes(form)),
        `a secret is in ${path}`,
      );
    assert.ok(!gateway.stderr.includes(secret), 'a secret is in the log');
  }
}
