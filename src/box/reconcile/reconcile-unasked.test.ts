import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { updateAppSettings } from '../apps/settings.ts';
import { StorageFailed, TooManyChanges } from '../ports.ts';
import { makeTestBox, type TestBox } from '../testing/test-box.ts';
import { atStart, reconcileUnasked } from './reconcile-unasked.ts';
import { retryImages } from './retry-images.ts';

let world: TestBox;
beforeEach(() => {
  world = makeTestBox();
  world.containers.images.set('registry/web:1', 'sha256:web');
});
afterEach(() => world.dispose());

const goesOn = () => false;

test('brings up what does not run, in turn with other changes, and says so (choice/box/270)', async () => {
  for (const name of ['a', 'b']) world.installed(name);
  const before = Promise.withResolvers<void>();
  void world.box.changes.run(() => before.promise);
  const reconciled = reconcileUnasked(world.box, 'at the start', goesOn);
  assert.deepEqual(world.containers.calls, []);
  before.resolve();
  await reconciled;
  assert.deepEqual(
    world.containers.containers.map(({ name, state }) => [name, state]),
    [
      ['a-web-1', 'running'],
      ['b-web-1', 'running'],
    ],
  );
  const [line, ...more] = world.changes;
  assert.deepEqual(more, []);
  assert.equal(line?.operation, 'reconcile');
  assert.equal(line?.by, 'at the start');
  assert.equal(line?.outcome, 'ok');
});

test('costs one listing where all is in line, and nothing without an app', async () => {
  await reconcileUnasked(world.box, 'at the start', goesOn);
  assert.deepEqual([world.containers.calls, world.changes], [[], []]);
  world.installed('a');
  await reconcileUnasked(world.box, 'at the start', goesOn);
  world.containers.calls = [];
  await reconcileUnasked(world.box, 'because Docker is back', goesOn);
  assert.deepEqual(world.containers.calls, ['list']);
});

test('leaves an app whose image is not here to a pull beside the changes, and says so (choice/box/270)', async () => {
  for (const [name, image] of [
    ['a', 'far:1'],
    ['b', 'registry/web:1'],
  ])
    world.installed(`${name}`, { 'compose.yaml': `services:\n  web: { image: ${image} }\n` });
  let pulls = 0;
  world.box.retryImages = () => {
    pulls += 1;
  };
  await reconcileUnasked(world.box, 'at the start', goesOn);
  assert.deepEqual(world.containers.calls, ['list', 'imageIds', 'imageIds', 'up b']);
  assert.equal(pulls, 1);
  assert.deepEqual([world.changes[0]?.outcome, world.changes[0]?.detail], ['ok', '1 action']);
  world.box.states.bring({ containers: [] });
  const states = world.box.states.of(world.box.apps.all('installed'));
  assert.equal(states.get('a')?.state, 'not_started');
  assert.equal(states.get('a')?.state_detail, 'Not started: its images are being pulled.');

  await retryImages(world.box, new AbortController().signal);
  assert.deepEqual(world.containers.containers.map(({ name, state }) => `${name} ${state}`).sort(), [
    'a-web-1 running',
    'b-web-1 running',
  ]);
});

test('the first change of an owner still brings such an app up', async () => {
  world.installed('a', { 'compose.yaml': 'services:\n  web: { image: far:1 }\n' });
  world.installed('b');
  await reconcileUnasked(world.box, 'at the start', goesOn);
  const actions = await updateAppSettings(world.box, { name: 'b', settings: {} });
  assert.deepEqual(
    actions.map(({ kind, target }) => `${kind} ${target}`),
    ['noop b', 'create a/web'],
  );
});

test('an image that still cannot be pulled is named as the reason', async () => {
  world.installed('a', { 'compose.yaml': 'services:\n  web: { image: far:1 }\n' });
  world.containers.unavailable.add('far:1');
  await reconcileUnasked(world.box, 'at the start', goesOn);
  await retryImages(world.box, new AbortController().signal);
  world.box.states.bring({ containers: [] });
  const { state_detail } = world.box.states.of(world.box.apps.all('installed')).get('a') ?? {};
  assert.match(`${state_detail}`, /^Not started: .*far:1/);
});

test('does nothing at the start if a change came before it,', async () => {
  world.installed('a');
  await updateAppSettings(world.box, { name: 'a', settings: {} });
  world.containers.calls = [];
  await reconcileUnasked(world.box, atStart, goesOn);
  assert.deepEqual(world.containers.calls, []);
  await reconcileUnasked(world.box, 'because Docker is back', goesOn);
  assert.deepEqual(world.containers.calls, ['list']);
});

test('does nothing once the box is stopping', async () => {
  world.installed('a');
  await reconcileUnasked(world.box, 'at the start', () => true);
  assert.deepEqual(world.containers.calls, []);
});

test('apps whose directory cannot be read are a line in the journal, and nothing is thrown', async (context) => {
  context.mock.method(world.box.folders, 'list', () => {
    throw new StorageFailed('cannot read apps: EIO');
  });
  await reconcileUnasked(world.box, 'because Docker is back', goesOn);
  assert.deepEqual(
    world.changes.map(({ outcome, detail }) => [outcome, detail]),
    [['failed', 'cannot read apps: EIO']],
  );
});

test('a failure ends in the journal and nowhere else, an unexpected fault in the log too', async (context) => {
  world.installed('a');
  const failures = [new TooManyChanges(), new TypeError('nobody foresaw this')];
  for (const failure of failures) {
    context.mock.method(world.box.changes, 'run', () => Promise.reject(failure));
    await reconcileUnasked(world.box, 'at the start', goesOn);
  }
  assert.deepEqual(
    world.changes.map(({ outcome }) => outcome),
    ['refused', 'failed'],
  );
  assert.deepEqual(world.faults, failures.slice(1));
});
