import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { containers, forget, identity } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';
import { makeRelease } from './archive.ts';
import {
  answers,
  apply,
  ask,
  countFailure,
  feed,
  first,
  key,
  release,
  releases,
  reset,
  runsAlone,
  second,
  software,
  startBox,
  unit,
} from './box.ts';
import { machine, writeThere } from './machine.ts';
import { isFinal, job, readState, stateDir, theEnd, Watch } from './state.ts';
import { gate, waitFor } from './versions.ts';

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
  await reset();
  await feed.close();
});

test('install.sh installs and starts a box from the archive, on a machine without Node', async () => {
  assert.notEqual((await machine.run(['sh', '-c', 'node --version'])).status, 0, 'there is no Node');
  await startBox();
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

  feed.serveFolder(join(releases, 'second'));
  // Sends the archive slowly, so that the test can observe the download.
  feed.archive = (response, request) =>
    void slowly(response, readFileSync(join(releases, 'second', request.url ?? '')));
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
  const size = readdirSync(join(releases, 'second')).filter((name) => name.endsWith('.tar.gz'));
  const total = statSync(join(releases, 'second', size[0] ?? '')).size;
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

test('an update with nothing newer, and one with a downgrade, end as done and unchanged', async () => {
  await reset();
  const old = makeRelease('0.0.1', key, []);
  for (const folder of ['first', '']) {
    countFailure();
    if (folder === '') feed.announce(old);
    else feed.serveFolder(join(releases, folder));
    const before = (await ask('/api/self/update/status')).body.attempt;
    await apply();
    const end = await theEnd(before);
    assert.deepEqual([end.stage, end.outcome], ['done', 'unchanged'], JSON.stringify(end));
    assert.equal(feed.asked.archive, 0);
    await runsAlone(first);
  }
});

test('of two applies at the same time one starts an update, and later ones are refused until it ended', async () => {
  const refused = { status: 409, body: { error: 'an update is already running' } };
  for (let round = 0; round < 3; round += 1) {
    countFailure();
    feed.announce(release({ statement: { expires: '2001-01-01T00:00:00Z' } }));
    const letGo = feed.hold('feed');
    const before = (await ask('/api/self/update/status')).body.attempt;
    const both = await Promise.all([1, 2].map(() => ask('/api/self/update/apply', {})));
    assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409]);
    assert.deepEqual(await ask('/api/self/update/apply', {}), refused);
    letGo();
    const end = await theEnd(before);
    assert.equal(end.stage, 'rolled_back');
  }
});

test('an apply between the start of an update and its lock is refused by the name of the unit', async () => {
  countFailure();
  feed.announce(release({ statement: { expires: '2001-01-01T00:00:00Z' } }));
  const dropIn = machine.path(`/etc/systemd/system/${job}.d`);
  mkdirSync(dropIn, { recursive: true });
  writeFileSync(join(dropIn, 'wait.conf'), `[Service]\nExecStartPre=/bin/sh -c '${waitFor('job')}'\n`);
  try {
    await machine.mustRun(['systemctl', 'daemon-reload']);
    mkdirSync(machine.path(gate), { recursive: true });
    writeThere(`${gate}/job`, '');
    const before = readState().attempt;
    const one = ask('/api/self/update/apply', {});
    await until('the unit starts', async () => (await machine.property('ActiveState', job)) === 'activating');
    const other = await ask('/api/self/update/apply', {});
    assert.deepEqual(other, { status: 409, body: { error: 'an update is already running' } });
    rmSync(machine.path(`${gate}/job`));
    assert.equal((await one).status, 202);
    assert.ok(isFinal(await theEnd(before)));
  } finally {
    rmSync(dropIn, { recursive: true });
    await machine.mustRun(['systemctl', 'daemon-reload']);
  }
  assert.ok(!existsSync(machine.path(`${gate}/job`)));
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
