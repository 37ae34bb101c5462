import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { containers, forget, identity } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';
import { answers, apply, ask, feed, first, installBox, newer, second, software, unit } from './box.ts';
import { machine } from './machine.ts';
import { job, stateDir, theEnd, Watch } from './state.ts';

/**
 * Two releases of this source, and a machine whose box is installed from the archive of the first one. The update goes
 * through the API, from a feed at a loopback address.
 */
const app = 'real-updated';
const slow = 'real-slow';
const apps = '/var/lib/boxgate-test/apps';
/** A folder that the engine sees too: the slow app's first container waits for a file there. */
const shared = join(required('BOXGATE_REAL'), 'self-update-shared');

function addApp(name: string, compose: string): void {
  const folder = machine.path(join(apps, name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ name, version: '1' }));
  writeFileSync(join(folder, 'compose.yaml'), compose);
}

before(async () => {
  mkdirSync(shared, { recursive: true });
  await machine.start();
});
after(async () => {
  forget([app, slow]);
  await machine.stopUnit(job);
  await machine.stopUnit(unit);
  await feed.close();
});

test('install.sh installs and starts a box from the archive, on a machine without Node', async () => {
  assert.notEqual((await machine.run(['sh', '-c', 'node --version'])).status, 0, 'there is no Node');
  await installBox();
  assert.equal(await answers(), first);
  assert.equal(await machine.property('ActiveState', unit), 'active');
});

test('an update changes to the new version, after a change in progress, and touches no container', async () => {
  addApp(app, `services: { web: { image: "${registry}/web:1" } }`);
  addApp(
    slow,
    `services:
  web: { image: "${registry}/web:1", depends_on: { first: { condition: service_completed_successfully } } }
  first:
    image: "${registry}/web:1"
    command: ["sh", "-c", "until [ -e /shared/go ]; do sleep 0.1; done"]
    volumes: ["${shared}:/shared"]
`,
  );
  const installed = await ask('/api/apps/install', { name: app });
  assert.equal(installed.status, 200, JSON.stringify(installed.body));
  const running = identity(app);
  mkdirSync(machine.path(`${software}/0.0.1`));
  mkdirSync(machine.path(`${software}/0.0.2`));

  const change = ask('/api/apps/install', { name: slow });
  await until('the change is in progress', () => containers(slow).some(({ service }) => service === 'first'));

  // Sends the archive slowly, so that the test can observe the download.
  feed.archive = (response, request) => void slowly(response, readFileSync(join(newer, request.url ?? '')));
  const watch = new Watch();
  try {
    await apply();
    await watch.reaches('switching');
    assert.equal(readlinkSync(machine.path(`${software}/current`)), first, 'the change finishes first');
    assert.equal(await answers(), first);
  } finally {
    writeFileSync(join(shared, 'go'), '');
    const changed = await change;
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
  }
  const end = await theEnd();
  watch.stop();

  assert.deepEqual([end.stage, end.outcome, end.from, end.to], ['done', 'updated', first, second], JSON.stringify(end));
  assert.equal(await answers(), second);
  assert.deepEqual(watch.stages, [
    'checking',
    'downloading',
    'verifying',
    'staging',
    'switching',
    'restarting',
    'health_check',
    'done',
  ]);
  const downloading = watch.seen.filter(({ stage }) => stage === 'downloading');
  const bytes = downloading.map((state) => state.bytes ?? -1);
  assert.deepEqual(
    bytes,
    bytes.toSorted((a, b) => a - b),
  );
  assert.ok(new Set(bytes).size > 2, `the bytes are told while they come: ${bytes}`);
  const size = readdirSync(newer).filter((name) => name.endsWith('.tar.gz'));
  const total = statSync(join(newer, size[0] ?? '')).size;
  assert.ok(downloading.every((state) => state.bytes_total === total));

  assert.deepEqual(identity(app), running, 'the containers are the same and were not started again');
  const left = readdirSync(machine.path(software)).sort();
  assert.deepEqual(left, [first, 'current', second].sort(), 'one old version is kept');
  assert.deepEqual(JSON.parse(readFileSync(machine.path(`${stateDir}/update-state.json`), 'utf8')), end);
  assert.equal(statSync(machine.path(`${stateDir}/update-state.json`)).mode & 0o777, 0o644);
  assert.deepEqual((await ask('/api/self/update/status')).body, end);
  const checked = await ask('/api/self/update/check', {});
  assert.deepEqual(checked.body, { current: second, latest: second, update_available: false });
});

async function slowly(response: import('node:http').ServerResponse, bytes: Buffer): Promise<void> {
  response.setHeader('content-length', bytes.length);
  const step = Math.ceil(bytes.length / 10);
  for (let from = 0; from < bytes.length; from += step) {
    response.write(bytes.subarray(from, from + step));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  response.end();
}
