import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { updateAppSettings } from '../apps/settings.ts';
import { StorageFailed, TooManyChanges } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { atStart, reconcileUnasked } from './reconcile-unasked.ts';
import { retryImages } from './retry-images.ts';

const testBox = useTestBox();
beforeEach(() => {
  testBox.containers.images.set('registry/web:1', 'sha256:web');
});

const goesOn = () => false;

test('brings up stopped apps, in its turn among the changes, and logs it (choice/box/270)', async () => {
  for (const name of ['a', 'b']) testBox.installed(name);
  const before = Promise.withResolvers<void>();
  void testBox.box.changes.run(() => before.promise);
  const reconciled = reconcileUnasked(testBox.box, 'at the start', goesOn);
  assert.deepEqual(testBox.containers.calls, []);
  before.resolve();
  await reconciled;
  assert.deepEqual(
    testBox.containers.containers.map(({ name, state }) => [name, state]),
    [
      ['a-web-1', 'running'],
      ['b-web-1', 'running'],
    ],
  );
  const [line, ...more] = testBox.changes;
  assert.deepEqual(more, []);
  assert.equal(line?.operation, 'reconcile');
  assert.equal(line?.by, 'at the start');
  assert.equal(line?.outcome, 'ok');
});

test('costs one listing if nothing changed, and none without an app', async () => {
  await reconcileUnasked(testBox.box, 'at the start', goesOn);
  assert.deepEqual([testBox.containers.calls, testBox.changes], [[], []]);
  testBox.installed('a');
  await reconcileUnasked(testBox.box, 'at the start', goesOn);
  testBox.containers.calls = [];
  await reconcileUnasked(testBox.box, 'because Docker is back', goesOn);
  assert.deepEqual(testBox.containers.calls, ['observe']);
});

test('leaves an app with missing images to a pull beside the changes, and says so (choice/box/270)', async () => {
  for (const [name, image] of [
    ['a', 'far:1'],
    ['b', 'registry/web:1'],
  ])
    testBox.installed(`${name}`, { 'compose.yaml': `services:\n  web: { image: ${image} }\n` });
  let pulls = 0;
  testBox.box.retryImages = () => {
    pulls += 1;
  };
  await reconcileUnasked(testBox.box, 'at the start', goesOn);
  assert.deepEqual(testBox.containers.calls, [
    'observe',
    'config a',
    'config b',
    'imageIds',
    'imageIds',
    'up b',
    'observe',
  ]);
  assert.equal(pulls, 1);
  assert.deepEqual([testBox.changes[0]?.outcome, testBox.changes[0]?.detail], ['ok', '1 action']);
  testBox.box.states.update({ containers: [] });
  const states = testBox.box.states.of(testBox.box.apps.all('installed'));
  assert.equal(states.get('a')?.state, 'not_started');
  assert.equal(states.get('a')?.state_detail, 'Not started: its images are being pulled.');

  await retryImages(testBox.box, new AbortController().signal);
  assert.deepEqual(testBox.containers.containers.map(({ name, state }) => `${name} ${state}`).sort(), [
    'a-web-1 running',
    'b-web-1 running',
  ]);
});

test('the first change of an owner still brings such an app up', async () => {
  testBox.installed('a', { 'compose.yaml': 'services:\n  web: { image: far:1 }\n' });
  testBox.installed('b');
  await reconcileUnasked(testBox.box, 'at the start', goesOn);
  const actions = await updateAppSettings(testBox.box, { name: 'b', settings: {} });
  assert.deepEqual(
    actions.map(({ kind, target }) => `${kind} ${target}`),
    ['noop b', 'create a/web'],
  );
});

test('an image that still cannot be pulled is given as the reason', async () => {
  testBox.installed('a', { 'compose.yaml': 'services:\n  web: { image: far:1 }\n' });
  testBox.containers.unavailable.add('far:1');
  await reconcileUnasked(testBox.box, 'at the start', goesOn);
  await retryImages(testBox.box, new AbortController().signal);
  testBox.box.states.update({ containers: [] });
  const { state_detail } = testBox.box.states.of(testBox.box.apps.all('installed')).get('a') ?? {};
  assert.match(`${state_detail}`, /^Not started: .*far:1/);
});

test('does nothing at the start if a change came before it,', async () => {
  testBox.installed('a');
  await updateAppSettings(testBox.box, { name: 'a', settings: {} });
  testBox.containers.calls = [];
  await reconcileUnasked(testBox.box, atStart, goesOn);
  assert.deepEqual(testBox.containers.calls, []);
  await reconcileUnasked(testBox.box, 'because Docker is back', goesOn);
  assert.deepEqual(testBox.containers.calls, ['observe']);
});

test('does nothing once the box is stopping', async () => {
  testBox.installed('a');
  await reconcileUnasked(testBox.box, 'at the start', () => true);
  assert.deepEqual(testBox.containers.calls, []);
});

test('an unreadable directory of apps is a line in the journal, and nothing is thrown', async (context) => {
  context.mock.method(testBox.box.folders, 'list', () => {
    throw new StorageFailed('cannot read apps: EIO');
  });
  await reconcileUnasked(testBox.box, 'because Docker is back', goesOn);
  assert.deepEqual(
    testBox.changes.map(({ outcome, detail }) => [outcome, detail]),
    [['failed', 'cannot read apps: EIO']],
  );
});

test('a failure is only in the journal, an unexpected fault also in the log', async (context) => {
  testBox.installed('a');
  const failures = [new TooManyChanges(), new TypeError('nobody foresaw this')];
  for (const failure of failures) {
    context.mock.method(testBox.box.changes, 'run', () => Promise.reject(failure));
    await reconcileUnasked(testBox.box, 'at the start', goesOn);
  }
  assert.deepEqual(
    testBox.changes.map(({ outcome }) => outcome),
    ['refused', 'failed'],
  );
  assert.deepEqual(testBox.faults, failures.slice(1));
});
