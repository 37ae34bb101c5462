import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageFile from '../../package.json' with { type: 'json' };
import { migrations } from './store/schema.ts';
import { openFileStore } from './store/sqlite/file.ts';
import { makeServerEnvironment, registrationToken, run, serve } from './testing/server-process.ts';

const limits = { timeout: 60_000 };
const { version } = packageFile;

test('a gateway records which server an update has to restart', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const path = join(environment.stateDir, 'running.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const running = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual([running.version, running.pid], [version, gateway.child.pid]);
  assert.ok('unit' in running);
  assert.equal((await fetch(`${running.address}/healthz`)).headers.get('server'), `boxgate/${version}`);
});

test('a start ends an interrupted update', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const path = join(environment.stateDir, 'update-state.json');
  const cut = { stage: 'staging', from: version, to: '99.0.0', started_at: '2026-11-20T10:00:00.000Z' };
  writeFileSync(path, JSON.stringify(cut));
  await serve(t, environment);
  const { stage, reason, from } = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual({ stage, reason, from }, { stage: 'rolled_back', reason: 'interrupted', from: version });
});

test('a gateway without an update writes no update state', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  await serve(t, environment);
  assert.equal(existsSync(join(environment.stateDir, 'update-state.json')), false);
});

test('a gateway serves and warns if neither file can be written', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  writeFileSync(join(environment.stateDir, 'update-state.json'), JSON.stringify({ stage: 'staging' }));
  for (const name of ['running.json', 'update.lock']) mkdirSync(join(environment.stateDir, name));
  const gateway = await serve(t, environment);
  assert.equal((await gateway.call('GET', '/healthz')).status, 200);
  const warnings = gateway.said.error.trimEnd().split('\n');
  assert.equal(warnings.length, 2, gateway.said.error);
  for (const warning of warnings) assert.match(warning, /^an update of the gateway could fail: .+/);
});

test('choice/gateway/391: after a roll-back, the previous version continues with its store', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const box = { registration_token: registrationToken, box_name: 'Attic' };
  let gateway = await serve(t, environment);
  const { body } = await gateway.call('POST', '/v1/boxes/register', { body: box });
  await gateway.stop();
  const path = join(environment.stateDir, 'gateway.db');
  const newer = [...migrations, () => ['DROP TABLE routes']];
  await (await openFileStore(path, undefined, newer)).close();

  const refused = run(t, environment);
  assert.deepEqual(await refused.ended, [1, null]);
  assert.match(refused.said.error, /start a newer boxgate\n$/);

  const state = { stage: 'health_check', from: version, to: '99.0.0', started_at: '2026-11-20T10:00:00.000Z' };
  writeFileSync(join(environment.stateDir, 'update-state.json'), JSON.stringify(state));
  gateway = await serve(t, environment);
  const routes = await gateway.call('GET', '/v1/routes', { token: String(body.box_token) });
  assert.deepEqual(routes, { status: 200, body: { routes: [] } });
});
