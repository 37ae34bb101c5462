import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { StorageFailed, TooManyChanges } from './ports.ts';
import { reconcileUnasked } from './reconcile-unasked.ts';
import { makeTestBox, type TestBox } from './testing/test-box.ts';

let world: TestBox;
beforeEach(() => {
  world = makeTestBox();
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
