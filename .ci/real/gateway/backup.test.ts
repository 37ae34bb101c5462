import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeScratchDatabase, type ScratchDatabase } from '../../../fakes/scratch-database.ts';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { openStore } from '../../../src/gateway/store/open-store.ts';
import { Gateway } from '../support/gateway.ts';
import { type Box, boxOf } from '../support/gateways.ts';
import { required } from '../support/required.ts';
import { launcher } from '../support/server-process.ts';

/** A gateway that moves to another store or another server: its boxes do not join again. */
const domain = 'move.example';
const kills = Number(process.env.BOXGATE_KILL_MOMENTS ?? 100) / 3;

let manager: WgEasy;
let folder: string;
const databases: ScratchDatabase[] = [];
const gateways: Gateway[] = [];
before(async () => {
  manager = await startWgEasy();
  folder = mkdtempSync(join(required('BOXGATE_REAL'), 'move-'));
});
after(async () => {
  for (const gateway of gateways) await gateway.kill();
  for (const database of databases) await database.drop();
  await manager.close();
});

async function makeDatabase(): Promise<string> {
  const database = await makeScratchDatabase(required('GATEWAY_TEST_POSTGRES'));
  databases.push(database);
  return database.url;
}

function makeGateway(store?: string): Gateway {
  const gateway = new Gateway({ manager, domain, ...(store === undefined ? {} : { store }) });
  gateways.push(gateway);
  return gateway;
}

async function started(store?: string): Promise<Gateway> {
  const gateway = makeGateway(store);
  await gateway.start();
  return gateway;
}

async function withBox(gateway: Gateway): Promise<Box> {
  const box = boxOf(await gateway.register('attic'));
  assert.equal((await gateway.as(box).publish(`notes-${box.id.slice(4, 10)}`, 5231)).status, 201);
  return box;
}

/** The token is good, and the route is there. */
async function knows(gateway: Gateway, box: Box): Promise<void> {
  const { status, body } = await gateway.as(box).list();
  assert.deepEqual([status, body.routes.length], [200, 1]);
  assert.ok(gateway.routeFiles().get(box.id)?.includes(box.address));
}

function run(words: string[], env: Record<string, string>) {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'gateway', ...words], {
    env: { PATH, HOME: folder, ...env },
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

const copy = (from: string, to: string) => run(['store', 'copy'], { GATEWAY_STORE_FROM: from, GATEWAY_STORE_TO: to });

test('a store moves to PostgreSQL and back', async () => {
  const first = await started();
  const box = await withBox(first);
  const [file, url] = [`file:${join(first.state, 'gateway.db')}`, await makeDatabase()];
  assert.match(copy(file, url).text, /--from: another process works on the store/);
  await first.stop();
  const copied = copy(file, url);
  assert.equal(copied.status, 0, copied.text);
  assert.doesNotMatch(copied.text, /postgres:\/\//);
  const second = await started(url);
  await knows(second, box);
  assert.match(copy(url, `file:${folder}/back.db`).text, /--from: .*run on the database/);
  await second.stop();
  assert.match(copy(file, url).text, /--to: the store is not empty .*boxes: 1/);
  assert.equal(copy(url, `file:${folder}/back.db`).status, 0);
  await knows(await started(`file:${folder}/back.db`), box);
});

test('a copy that is killed leaves the target empty or whole', async (t) => {
  const from = join(folder, 'many.db');
  const store = await openStore({ kind: 'file', path: from });
  for (let n = 0; n < 250; n += 1) {
    const box = { id: `box_${n}`, name: 'box', peerName: `boxgate-box_${n}`, createdAt: n };
    await store.insertPendingBox(box, 1000, 5);
  }
  await store.close();
  const ends = { empty: 0, whole: 0 };
  let wholeMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= kills; round += 1) {
    const to = round % 2 === 0 ? `file:${folder}/target-${round}.db` : await makeDatabase();
    const env = { ...process.env, GATEWAY_STORE_FROM: `file:${from}`, GATEWAY_STORE_TO: to };
    const began = performance.now();
    const child = spawn(process.execPath, [launcher, 'gateway', 'store', 'copy'], { env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    if (round > 1) {
      await Promise.race([pause(wholeMs * (0.4 + 0.6 * (round / kills))), exited]);
      child.kill('SIGKILL');
    }
    await exited;
    if (round <= 1) wholeMs = Math.min(wholeMs, performance.now() - began);
    const again = copy(`file:${from}`, to);
    ends[again.status === 0 ? 'empty' : 'whole'] += 1;
    assert.match(again.text, /^copied .*boxes: 250|is not empty .*boxes: 250/);
  }
  t.diagnostic(JSON.stringify(ends));
});

test('a gateway is restored on another server, by both versions of restic', async () => {
  const old = await started();
  const box = await withBox(old);
  const repository = join(folder, 'repository');
  const settings = join(folder, 'box-token');
  writeFileSync(settings, 'registration token');
  const placeOf = (gateway: Gateway) => {
    const wireguard = join(gateway.folder, 'wireguard');
    mkdirSync(wireguard);
    return {
      GATEWAY_BACKUP_REPOSITORY: repository,
      GATEWAY_BACKUP_ALSO: settings,
      GATEWAY_STATE_DIR: gateway.state,
      GATEWAY_ROUTES_DIR: gateway.routes,
      GATEWAY_WIREGUARD_DIR: wireguard,
    };
  };
  const ofOld = placeOf(old);
  writeFileSync(join(ofOld.GATEWAY_WIREGUARD_DIR, 'wg0.conf'), 'the key of wg-easy');
  for (const [suite, store] of [
    ['bookworm', undefined],
    ['trixie', await makeDatabase()],
  ] as const) {
    const path = `${join(required('BOXGATE_RESTIC'), suite, 'usr/bin')}:${process.env.PATH}`;
    const backup = (word: string, env: Record<string, string>) => run(['backup', word], { ...env, PATH: path });
    const made = backup('make', ofOld);
    assert.equal(made.status, 0, made.text);
    const key = backup('key', ofOld).text.split('\n')[0] ?? '';
    const next = makeGateway(store);
    const ofNext = { ...placeOf(next), ...(store === undefined ? {} : { GATEWAY_STORE: store }) };
    mkdirSync(next.state);
    assert.match(backup('restore', ofNext).text, /there is no key of the backups here/);
    writeFileSync(join(next.state, 'backup.key'), key, { mode: 0o600 });
    const restored = backup('restore', ofNext);
    assert.equal(restored.status, 0, restored.text);
    for (const text of [made.text, restored.text]) assert.ok(!text.includes(key) && !text.includes('postgres://'));
    assert.equal(readFileSync(join(ofNext.GATEWAY_WIREGUARD_DIR, 'wg0.conf'), 'utf8'), 'the key of wg-easy');
    assert.match(backup('list', ofNext).text, /\n[0-9a-f]{8} .* 1 /);
    await next.start();
    await knows(next, box);
  }
});
