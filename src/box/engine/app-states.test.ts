import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCatalogue } from '../app-files/read-apps.ts';
import { listApps } from '../apps/list-apps.ts';
import { StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { openPortsOf } from './app-states.ts';
import { reconcile } from './reconcile.ts';
import type { Container } from './rules/container.ts';

const testBox = useTestBox();

const manifest = (more = {}) => JSON.stringify({ name: 'x', version: '1', ...more });

/** Changes properties of a container by its name. */
function show(name: string, fields: Partial<Container>) {
  Object.assign(testBox.containers.containers.find((one) => one.name === name) ?? {}, fields);
}

const snapshot = () => testBox.box.observer.look();

function stateOf(name: string) {
  const entry = listApps(testBox.box).find((app) => app.name === name);
  assert.ok(entry);
  const { state, state_detail, published, open_ports } = entry;
  return { state, state_detail, published, open_ports };
}

test('before the first snapshot, and when Docker does not answer, every state is unknown (choice/box/265)', () => {
  testBox.installed('a');
  testBox.installed('broken', { 'manifest.json': '{' });
  assert.equal(stateOf('a').state, 'unknown');
  testBox.box.states.update({ failure: 'Docker does not answer; is it running?' });
  for (const name of ['a', 'broken']) {
    assert.deepEqual(stateOf(name), {
      state: 'unknown',
      state_detail: 'Docker does not answer; is it running?',
      published: [],
      open_ports: [],
    });
  }
});

test('an entry has the state and the ports of its containers, without one-off ones (choice/box/265)', async () => {
  testBox.installed('a', { 'manifest.json': manifest({ ports: [{ port: 80, label: 'Web' }] }) });
  await reconcile(testBox.box, null);
  const published = [{ address: '', hostPort: 8080, containerPort: 80, protocol: 'tcp' }];
  show('a-web-1', { startedAt: Date.parse('2026-01-01T00:00:30Z'), published });
  const [web] = testBox.containers.containers;
  assert.ok(web);
  testBox.containers.containers.push({ ...web, id: 'run', name: 'a-web-run', state: 'exited', oneOff: true });
  await snapshot();
  assert.deepEqual(stateOf('a'), {
    state: 'running',
    state_detail: 'Running since 2026-01-01 00:00 UTC.',
    published: [8080],
    open_ports: [{ port: 8080, label: 'Web' }],
  });
});

test('the list is the same array until a snapshot, a file or the clock changes something', async () => {
  testBox.installed('a');
  // This catalogue's clock makes every file old enough to be cached.
  testBox.box.apps = makeCatalogue(testBox.box.folders, String, () => Date.now() + 60_000);
  await reconcile(testBox.box, null);
  const started = testBox.clock.now.getTime();
  show('a-web-1', { startedAt: started, restartCount: 1 });
  await snapshot();
  const crashed = listApps(testBox.box);
  assert.equal(stateOf('a').state, 'restarting');
  await snapshot();
  testBox.box.states.refresh();
  assert.equal(listApps(testBox.box), crashed);
  testBox.clock.now = new Date(started + 9_999);
  assert.equal(listApps(testBox.box), crashed);
  testBox.clock.now = new Date(started + 10_000);
  assert.equal(stateOf('a').state, 'running');
  assert.notEqual(listApps(testBox.box), crashed);
});

test('an app that was up once is stopped when its containers are gone, also after a failed change (choice/box/266)', async () => {
  testBox.installed('a');
  await reconcile(testBox.box, 'a');
  testBox.containers.containers = [];
  await snapshot();
  assert.deepEqual(stateOf('a').state_detail, 'Stopped: a-web-1 is gone.');
  testBox.containers.fail('up', 'the port is taken');
  await reconcile(testBox.box, 'a');
  await snapshot();
  assert.equal(stateOf('a').state, 'stopped');
});

test('why the last start failed stays until a start succeeds, also over a restart of the box', async () => {
  const password = 'DB_PASSWORD=hunter2hunter2\n';
  testBox.installed('a', { '.env': password });
  testBox.installed('b');
  testBox.containers.images.set('registry/web:1', 'sha256:web');
  testBox.containers.fail('up', 'the port of hunter2hunter2 is taken');
  await reconcile(testBox.box, 'a');
  const detail = 'Not started: the port of ••• is taken.';
  await snapshot();
  assert.deepEqual([stateOf('a').state, stateOf('a').state_detail], ['not_started', detail]);
  testBox.box.failedUps.clear();
  testBox.installed('b', { '.env': 'OTHER=1\n' });
  await reconcile(testBox.box, 'b');
  assert.equal(stateOf('a').state_detail, detail);
  testBox.containers.failing.clear();
  await reconcile(testBox.box, 'b');
  await snapshot();
  assert.match(stateOf('a').state_detail, /^Running since [^;]*$/);
});

test('why an app cannot be brought up at all is shown until it can be, also if it was never up', async () => {
  const named = 'name: shared\nservices: { web: { image: "web:1" } }\n';
  testBox.installed('a', { 'compose.yaml': named });
  testBox.installed('b', { 'compose.yaml': named });
  testBox.installed('tabs', { 'compose.yaml': 'services:\n\tweb: { image: "web:1" }\n' });
  await reconcile(testBox.box, null);
  assert.equal(stateOf('b').state_detail, 'Not started: its project shared is already that of the app a.');
  const unreadable = 'Not started: its Compose file cannot be read: Tabs are not allowed as indentation (line 2).';
  assert.equal(stateOf('tabs').state_detail, unreadable);
  testBox.containers.fail('observe', 'Docker does not answer', true);
  await reconcile(testBox.box, null);
  testBox.containers.failing.clear();
  await snapshot();
  assert.equal(stateOf('tabs').state_detail, unreadable);
  testBox.installed('tabs', { 'compose.yaml': 'services: { web: { image: "web:1" } }\n' });
  await reconcile(testBox.box, null);
  await snapshot();
  assert.equal(stateOf('tabs').state, 'running');
});

test('a start of another app that fails at once is remembered, too', async () => {
  testBox.installed('a');
  testBox.containers.fate.set('sha256:registry/web:1', { state: 'restarting', exitCode: 3, restartCount: 2 });
  await reconcile(testBox.box, null);
  assert.match(`${testBox.box.records.load().get('a')?.failure}`, /a-web-1 does not stay up/);
  assert.deepEqual(
    (await reconcile(testBox.box, null)).map(({ kind }) => kind),
    ['warn'],
  );
});

test('an app is found under another name of its folder, as after a move of all apps that left a link', async () => {
  const { installed } = testBox.directories;
  testBox.installed('a');
  await reconcile(testBox.box, null);
  const other = join(testBox.root, 'other');
  symlinkSync(installed, other);
  show('a-web-1', { workingDirectory: join(other, 'a') });
  await snapshot();
  assert.equal(stateOf('a').state, 'running');
  assert.deepEqual(
    (await reconcile(testBox.box, 'a')).map(({ kind, detail }) => `${kind}: ${detail}`),
    ['noop: in line'],
  );
  show('a-web-1', { workingDirectory: join(testBox.root, 'direct') });
  symlinkSync(join(installed, 'a'), join(testBox.root, 'direct'));
  await snapshot();
  assert.equal(stateOf('a').state, 'running');
});

test('a look that ends late does not hide a later one', async (context) => {
  testBox.installed('a');
  await reconcile(testBox.box, null);
  const first = Promise.withResolvers<[]>();
  context.mock.method(testBox.containers, 'observe', () => first.promise, { times: 1 });
  const late = snapshot();
  await snapshot();
  first.resolve([]);
  await late;
  assert.equal(stateOf('a').state, 'running');
});

test('a manual edit of an .env is seen within a second, without a snapshot (choice/box/266)', async () => {
  const settings = [{ name: 'DB_PASSWORD', type: 'password' }];
  testBox.installed('held', { 'manifest.json': manifest({ settings }), '.env': 'DB_PASSWORD=changeme\n' });
  // This catalogue's clock makes every file old enough to be cached.
  testBox.box.apps = makeCatalogue(testBox.box.folders, String, () => Date.now() + 60_000);
  await snapshot();
  assert.match(stateOf('held').state_detail, /DB_PASSWORD/);
  testBox.installed('held', { '.env': 'DB_PASSWORD=hunter2\n' });
  testBox.clock.now = new Date(testBox.clock.now.getTime() + 1000);
  assert.match(stateOf('held').state_detail, /^Not started yet/);
});

test('reads no .env of an app that has containers', async (context) => {
  testBox.installed('a');
  await reconcile(testBox.box, null);
  await snapshot();
  const viewEnv = context.mock.method(testBox.box.folders, 'viewEnv');
  assert.equal(stateOf('a').state, 'running');
  assert.equal(viewEnv.mock.callCount(), 0);
});

test('containers whose folder is gone belong to the app with their project, as after a move', async () => {
  testBox.installed('a', { '.env': 'COMPOSE_PROJECT_NAME=moved\n' });
  testBox.installed('b');
  await reconcile(testBox.box, null);
  for (const container of testBox.containers.containers) {
    container.workingDirectory = join(testBox.root, 'before', container.project);
  }
  await snapshot();
  assert.equal(stateOf('a').state, 'running');
  assert.equal(stateOf('b').state, 'running');
});

test('containers of an existing folder belong to it, whatever their project', async () => {
  testBox.installed('a');
  await reconcile(testBox.box, null);
  for (const container of testBox.containers.containers) container.workingDirectory = testBox.directories.bundled;
  await snapshot();
  assert.equal(stateOf('a').state, 'stopped');
});

test("the engine's reason is shown in one line and without secrets", async () => {
  testBox.installed('a', { '.env': 'DB_PASSWORD=hunter2-long\n' });
  await reconcile(testBox.box, null);
  show('a-web-1', { state: 'created', reason: 'cannot mount hunter2-long:\nport is already allocated' });
  await snapshot();
  const { state, state_detail } = stateOf('a');
  assert.equal(state, 'stopped');
  assert.match(state_detail, /^It could not be started: cannot mount .* port is already allocated\.$/);
  assert.doesNotMatch(state_detail, /hunter2/);
});

test('a fault of one app or of the records leaves the other states', async (context) => {
  for (const name of ['a', 'bad']) testBox.installed(name);
  await reconcile(testBox.box, null);
  testBox.containers.containers = testBox.containers.containers.filter(({ project }) => project === 'a');
  await snapshot();
  context.mock.method(testBox.box.folders, 'viewEnv', () => {
    throw new TypeError('nobody foresaw this');
  });
  assert.equal(stateOf('a').state, 'running');
  assert.equal(stateOf('bad').state, 'unknown');
  assert.match(stateOf('bad').state_detail, /internal error/);
  context.mock.method(testBox.box.records, 'load', () => {
    throw new StorageFailed('cannot read');
  });
  testBox.box.states.refresh();
  assert.equal(stateOf('a').state, 'running');
});

test('no reader waits once the expected snapshot is there', async () => {
  const { states } = testBox.box;
  const before = testBox.clock.now.getTime();
  await states.firstPicture();
  states.expectPicture();
  await snapshot();
  await states.firstPicture();
  assert.equal(testBox.clock.now.getTime(), before);
});

test('the first reader gives up after a second without a snapshot', async () => {
  const { states } = testBox.box;
  states.expectPicture();
  const before = testBox.clock.now.getTime();
  await states.firstPicture();
  await states.firstPicture();
  assert.equal(testBox.clock.now.getTime() - before, 1000);
});

test('open ports are read without a snapshot, in one call of the engine (choice/box/265)', async () => {
  testBox.installed('a', { 'manifest.json': manifest({ ports: [80] }) });
  await reconcile(testBox.box, null);
  show('a-web-1', { published: [{ address: '', hostPort: 8080, containerPort: 80, protocol: 'tcp' }] });
  testBox.containers.calls = [];
  assert.deepEqual(await openPortsOf(testBox.box, 'a'), [{ port: 8080, label: '' }]);
  assert.deepEqual(testBox.containers.calls, ['observe']);
  assert.deepEqual(await openPortsOf(testBox.box, 'nobody'), []);
  testBox.containers.fail('observe', 'Docker does not answer', true);
  assert.equal(await openPortsOf(testBox.box, 'a'), null);
});
