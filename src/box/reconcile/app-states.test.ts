import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeCatalogue } from '../apps/catalogue.ts';
import { listApps } from '../apps/list-apps.ts';
import { type EngineContainer, StorageFailed } from '../ports.ts';
import { makeTestBox, type TestBox } from '../testing/test-box.ts';
import { openPortsOf } from './app-states.ts';
import { reconcile } from './reconcile.ts';

let world: TestBox;
beforeEach(() => {
  world = makeTestBox();
});
afterEach(() => world.dispose());

const manifest = (more = {}) => JSON.stringify({ name: 'x', version: '1', ...more });

/** Shows a container of the engine with more than its state, by its name. */
function show(name: string, fields: Partial<EngineContainer>) {
  world.containers.looks.set(name, fields);
}

async function look() {
  world.box.states.bring({ containers: await world.containers.look() });
}

function stateOf(name: string) {
  const entry = listApps(world.box).find((app) => app.name === name);
  assert.ok(entry);
  const { state, state_detail, published, open_ports } = entry;
  return { state, state_detail, published, open_ports };
}

test('before the first look, and when Docker does not answer, every state is unknown (choice/box/265)', () => {
  world.installed('a');
  world.installed('broken', { 'manifest.json': '{' });
  assert.equal(stateOf('a').state, 'unknown');
  world.box.states.bring({ failure: 'Docker does not answer; is it running?' });
  for (const name of ['a', 'broken']) {
    assert.deepEqual(stateOf(name), {
      state: 'unknown',
      state_detail: 'Docker does not answer; is it running?',
      published: [],
      open_ports: [],
    });
  }
});

test('an entry has the state and the ports of its containers, one-off ones left out (choice/box/265)', async () => {
  world.installed('a', { 'manifest.json': manifest({ ports: [{ port: 80, label: 'Web' }] }) });
  await reconcile(world.box, null);
  const published = [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }];
  show('a-web-1', { startedAt: Date.parse('2026-01-01T00:00:30Z'), published });
  const [web] = world.containers.containers;
  assert.ok(web);
  world.containers.containers.push({ ...web, id: 'run', name: 'a-web-run', state: 'exited', oneOff: true });
  await look();
  assert.deepEqual(stateOf('a'), {
    state: 'running',
    state_detail: 'Running since 2026-01-01 00:00 UTC.',
    published: [8080],
    open_ports: [{ port: 8080, label: 'Web' }],
  });
});

test('the list is the same array until a look, a file or the clock changes something', async () => {
  world.installed('a');
  // For this catalogue every file has long settled, so that it reads none again.
  world.box.apps = makeCatalogue(world.box.folders, String, () => Date.now() + 60_000);
  await reconcile(world.box, null);
  const started = world.clock.now.getTime();
  show('a-web-1', { startedAt: started, restartCount: 1 });
  await look();
  const crashed = listApps(world.box);
  assert.equal(stateOf('a').state, 'restarting');
  await look();
  world.box.states.refresh();
  assert.equal(listApps(world.box), crashed);
  world.clock.now = new Date(started + 9_999);
  assert.equal(listApps(world.box), crashed);
  world.clock.now = new Date(started + 10_000);
  assert.equal(stateOf('a').state, 'running');
  assert.notEqual(listApps(world.box), crashed);
});

test('an app without containers says what keeps it from starting (choice/box/267)', async () => {
  const settings = [{ name: 'DB_PASSWORD', type: 'password' }];
  world.installed('held', { 'manifest.json': manifest({ settings }), '.env': 'DB_PASSWORD=changeme\n' });
  world.installed('empty', { 'compose.yaml': '' });
  world.installed('idle');
  world.installed('broken', { 'manifest.json': '{' });
  await look();
  assert.equal(stateOf('held').state, 'not_started');
  assert.match(stateOf('held').state_detail, /DB_PASSWORD/);
  assert.match(stateOf('empty').state_detail, /no Compose file/);
  assert.equal(stateOf('idle').state, 'not_started');
  assert.equal(stateOf('broken').state, 'not_started');
  world.installed('held', { '.env': 'DB_PASSWORD=hunter2\n' });
  world.box.states.refresh();
  assert.match(stateOf('held').state_detail, /^Not started yet/);
});

test('an app that was up once is stopped when its containers are gone, also after a failed change (choice/box/267)', async () => {
  world.installed('a');
  await reconcile(world.box, 'a');
  world.containers.containers = [];
  await look();
  assert.deepEqual(stateOf('a').state_detail, 'Stopped: its containers are gone: a-web-1.');
  world.containers.fail('up', 'the port is taken');
  await reconcile(world.box, 'a');
  await look();
  assert.equal(stateOf('a').state, 'stopped');
});

test('an .env that is edited by hand is seen within a second, without a look (choice/box/267)', async () => {
  const settings = [{ name: 'DB_PASSWORD', type: 'password' }];
  world.installed('held', { 'manifest.json': manifest({ settings }), '.env': 'DB_PASSWORD=changeme\n' });
  // For this catalogue every file has long settled, so that it reads none again.
  world.box.apps = makeCatalogue(world.box.folders, String, () => Date.now() + 60_000);
  await look();
  assert.match(stateOf('held').state_detail, /DB_PASSWORD/);
  world.installed('held', { '.env': 'DB_PASSWORD=hunter2\n' });
  world.clock.now = new Date(world.clock.now.getTime() + 1000);
  assert.match(stateOf('held').state_detail, /^Not started yet/);
});

test('the name of a container that is gone is masked, because a Compose file can make it of a secret', async () => {
  world.installed('a', { '.env': 'DB_PASSWORD=hunter2hunter2\n' });
  await reconcile(world.box, null);
  const records = world.box.records.load();
  for (const record of records.values()) record.containers = ['x-hunter2hunter2'];
  await world.box.records.save(records);
  world.containers.containers = [];
  await look();
  assert.match(stateOf('a').state_detail, /^Stopped: its containers are gone: x-/);
  assert.doesNotMatch(stateOf('a').state_detail, /hunter2/);
});

test('reads no .env of an app that has containers', async (context) => {
  world.installed('a');
  await reconcile(world.box, null);
  await look();
  const viewEnv = context.mock.method(world.box.folders, 'viewEnv');
  assert.equal(stateOf('a').state, 'running');
  assert.equal(viewEnv.mock.callCount(), 0);
});

test('a container that the app had and that is gone is missed (choice/box/266)', async () => {
  world.installed('a', {
    'compose.yaml': 'services:\n  db:\n    image: i/db:1\n  web:\n    image: i/web:1\n',
  });
  await reconcile(world.box, null);
  world.containers.containers = world.containers.containers.filter(({ service }) => service === 'web');
  await look();
  assert.equal(stateOf('a').state, 'stopped');
  assert.match(stateOf('a').state_detail, /a-db-1 is gone; web still runs/);
});

test('containers whose folder is gone are those of the app with their project, as after a move', async () => {
  world.installed('a', { '.env': 'COMPOSE_PROJECT_NAME=moved\n' });
  world.installed('b');
  await reconcile(world.box, null);
  for (const container of world.containers.containers) {
    container.workingDirectory = join(world.root, 'before', container.project);
  }
  await look();
  assert.equal(stateOf('a').state, 'running');
  assert.equal(stateOf('b').state, 'running');
});

test('containers of a folder that is there are its own, whatever their project', async () => {
  world.installed('a');
  await reconcile(world.box, null);
  for (const container of world.containers.containers) container.workingDirectory = world.directories.bundled;
  await look();
  assert.equal(stateOf('a').state, 'stopped');
});

test("the engine's reason is shown in one line and without secrets", async () => {
  world.installed('a', { '.env': 'DB_PASSWORD=hunter2-long\n' });
  await reconcile(world.box, null);
  show('a-web-1', { state: 'created', reason: 'cannot mount hunter2-long:\nport is already allocated' });
  await look();
  const { state, state_detail } = stateOf('a');
  assert.equal(state, 'stopped');
  assert.match(state_detail, /^It could not be started: cannot mount .* port is already allocated\.$/);
  assert.doesNotMatch(state_detail, /hunter2/);
});

test('a fault of one app or of the records leaves the other states', async (context) => {
  for (const name of ['a', 'bad']) world.installed(name);
  await reconcile(world.box, null);
  world.containers.containers = world.containers.containers.filter(({ project }) => project === 'a');
  await look();
  context.mock.method(world.box.folders, 'viewEnv', () => {
    throw new TypeError('nobody foresaw this');
  });
  assert.equal(stateOf('a').state, 'running');
  assert.equal(stateOf('bad').state, 'unknown');
  assert.match(stateOf('bad').state_detail, /internal error/);
  context.mock.method(world.box.records, 'load', () => {
    throw new StorageFailed('cannot read');
  });
  world.box.states.refresh();
  assert.equal(stateOf('a').state, 'running');
});

test('the first reader waits for an expected look, others do not', async () => {
  const { states } = world.box;
  assert.equal(states.firstLook(), null);
  states.expectLook();
  assert.notEqual(states.firstLook(), null);
  await look();
  assert.equal(states.firstLook(), null);
});

test('the first reader gives up after a second without a look', async () => {
  const { states } = world.box;
  states.expectLook();
  const before = world.clock.now.getTime();
  await states.firstLook();
  assert.equal(world.clock.now.getTime() - before, 1000);
  assert.equal(states.firstLook(), null);
});

test('open ports can be asked for without a look: one question to the engine (choice/box/268)', async () => {
  world.installed('a', { 'manifest.json': manifest({ ports: [80] }) });
  await reconcile(world.box, null);
  show('a-web-1', { published: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }] });
  world.containers.calls = [];
  assert.deepEqual(await openPortsOf(world.box, 'a'), [{ port: 8080, label: '' }]);
  assert.deepEqual(world.containers.calls, ['look']);
  assert.deepEqual(await openPortsOf(world.box, 'nobody'), []);
  world.containers.fail('look', 'Docker does not answer', true);
  assert.equal(await openPortsOf(world.box, 'a'), null);
});
