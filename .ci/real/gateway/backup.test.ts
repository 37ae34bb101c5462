import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeScratchDatabase, type ScratchDatabase } from '../../../fakes/scratch-database.ts';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway } from '../support/gateway.ts';
import { type Box, boxOf } from '../support/gateways.ts';
import { required } from '../support/required.ts';
import { launcher } from '../support/server-process.ts';

/** A gateway that moves to another server: its boxes do not join again. */
const domain = 'move.example';

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
