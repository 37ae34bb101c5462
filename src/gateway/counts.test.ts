/** Costs of the gateway that are exact counts on any machine. `npm run bench` measures ratios. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listen } from '../http/listen.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { makeAuthenticate } from './boxes/authenticate.ts';
import { makeHandlers } from './handlers.ts';
import { gatewayService } from './service.ts';
import { migrate, sqlite } from './store/schema.ts';
import { openSqlite, runAlone } from './store/sqlite/sqlite-database.ts';
import { makeSqliteStore } from './store/sqlite/sqlite-store.ts';
import { makeServerEnvironment, registrationToken, type Serving, serve } from './testing/server-process.ts';
import { addBox, makeTestEnvironment, makeTestGateway } from './testing/test-gateway.ts';

function countingStore(t: TestContext) {
  const folder = temporaryFolder();
  const database = openSqlite(join(folder, 'gateway.db'));
  const count = { statements: 0 };
  const counting = {
    ...database,
    all(...asked: Parameters<typeof database.all>) {
      count.statements += 1;
      return database.all(...asked);
    },
  };
  const store = makeSqliteStore(counting, runAlone(counting, migrate(sqlite)), () => undefined);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { store, count };
}

test('a heartbeat with a known token runs no database statement', async (t) => {
  const { store, count } = countingStore(t);
  const gateway = await makeTestGateway(t, { environment: { ...(await makeTestEnvironment(t)), store } });
  const { box, token } = await addBox(gateway, 'a');
  const service = gatewayService(makeHandlers(gateway), makeAuthenticate(gateway), '1.2.3');
  const listening = await listen({ host: '127.0.0.1', port: 0, service });
  t.after(() => listening.close());
  const beat = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${listening.url}/v1/boxes/${box.id}/heartbeat`, { method: 'POST', headers });
    assert.equal(status, 200);
  };
  const statementsOf = async (beats: number) => {
    count.statements = 0;
    for (let n = 0; n < beats; n += 1) await beat();
    return count.statements;
  };
  assert.equal(await statementsOf(1), 1);
  assert.equal(await statementsOf(50), 0);
});

const publishing = { app_name: 'notes', port: 8000 };

async function registered(serving: Serving): Promise<string> {
  const body = { registration_token: registrationToken, box_name: 'attic' };
  const answer = await serving.call('POST', '/v1/boxes/register', { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return String(answer.body.box_token);
}

test('publish and unpublish are one event each for the proxy', async (t) => {
  const environment = await makeServerEnvironment(t);
  const serving = await serve(t, environment);
  const token = await registered(serving);
  const events: string[] = [];
  const watcher = watch(environment.routesDir, (_kind, name) => events.push(String(name)));
  t.after(() => watcher.close());
  const eventsOf = async (change: () => Promise<unknown>) => {
    const before = events.length;
    await change();
    const marker = `marker-${before}`;
    writeFileSync(join(environment.routesDir, marker), ''); // Events are ordered, so the change's have arrived.
    while (!events.includes(marker)) await new Promise((done) => setTimeout(done, 5));
    return events.slice(before).filter((name) => !name.startsWith('marker-')).length;
  };
  const ids: string[] = [];
  const publish = async (subdomain: string) => {
    const { status, body } = await serving.call('POST', '/v1/routes', { token, body: { ...publishing, subdomain } });
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(String(body.id));
  };
  const unpublish = async () => {
    const { status } = await serving.call('DELETE', `/v1/routes/${ids.pop()}`, { token });
    assert.equal(status, 200);
  };
  assert.equal(await eventsOf(() => publish('one')), 1, 'the first, which creates the file');
  assert.equal(await eventsOf(() => publish('two')), 1, 'a second');
  assert.equal(await eventsOf(unpublish), 1, 'one of two');
  assert.equal(await eventsOf(unpublish), 1, 'the last, which removes the file');
});

test('a start writes no route file that is correct', async (t) => {
  const environment = await makeServerEnvironment(t);
  const first = await serve(t, environment);
  for (const subdomain of ['one', 'two', 'three']) {
    const token = await registered(first);
    const { status } = await first.call('POST', '/v1/routes', { token, body: { ...publishing, subdomain } });
    assert.equal(status, 201);
  }
  await first.stop();
  const before = stampsOf(environment.routesDir);
  assert.equal(before.length, 3);
  const events: string[] = [];
  const watcher = watch(environment.routesDir, (_kind, name) => events.push(String(name)));
  t.after(() => watcher.close());
  const second = await serve(t, environment);
  writeFileSync(join(environment.routesDir, 'marker'), '');
  while (!events.includes('marker')) await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(
    events.filter((name) => name.startsWith('boxgate-')),
    [],
  );
  assert.deepEqual(stampsOf(environment.routesDir), before);
  await second.stop();
});

function stampsOf(folder: string): { name: string; ino: bigint; ctime: bigint }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));
  return names.sort().map((name) => {
    const { ino, ctimeNs } = statSync(join(folder, name), { bigint: true });
    return { name, ino, ctime: ctimeNs };
  });
}
