import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ContainersFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { unshownText } from '../rules/text/mask-secrets.ts';
import { useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { listApps, listBundledApps } from './list-apps.ts';
import { removeApp } from './remove.ts';

const testBox = useTestBox();

const internal = /^internal error \(fault 1\); the log of the box has the details$/;
const nested = (depth: number) => '${A:-'.repeat(depth) + '}'.repeat(depth);

/** Makes a method of the folders fail for the app `bad` with an unexpected error. */
function breakFor(context: TestContext, method: 'digest' | 'viewEnv' | 'stamp' | 'read') {
  const { folders } = testBox.box;
  const original = folders[method] as (...args: unknown[]) => unknown;
  context.mock.method(folders, method, (...args: unknown[]) => {
    if (basename(String(args[0])) === 'bad') throw new TypeError('nobody foresaw this: hunter2');
    return original(...args);
  });
}

const errors = async () =>
  (await reconcile(testBox.box, null)).filter(({ kind }) => kind === 'error').map(({ target }) => target);

test('an unexpected fault while an app is observed is an error of that app only', async (context) => {
  for (const name of ['a', 'bad', 'c']) testBox.installed(name);
  breakFor(context, 'digest');
  const actions = await reconcile(testBox.box, null);
  assert.deepEqual(
    actions.map(({ kind, target }) => `${kind} ${target}`),
    ['create a/web', 'error bad', 'create c/web'],
  );
  assert.match(actions[1]?.detail ?? '', internal);
  assert.match(String(testBox.faults[0]), /nobody foresaw this/);
});

test('an unexpected fault while an app is brought up is an error of that app only', async (context) => {
  for (const name of ['a', 'bad', 'c']) testBox.installed(name);
  const up = testBox.containers.up.bind(testBox.containers);
  context.mock.method(testBox.containers, 'up', (...args: Parameters<typeof up>) => {
    if (args[0].project === 'bad') throw new TypeError('nobody foresaw this');
    return up(...args);
  });
  assert.deepEqual(await errors(), ['bad']);
  assert.equal(testBox.faults.length, 1);
  context.mock.restoreAll();
  assert.deepEqual(await errors(), [], 'it is tried again');
});

test('an unexpected fault of a look at the containers is an error of each app, and in the log', async (context) => {
  testBox.bundle('a');
  context.mock.method(testBox.containers, 'observe', async () => {
    throw new TypeError('nobody foresaw this');
  });
  const { actions } = await installApp(testBox.box, { name: 'a', settings: {} });
  assert.equal(actions.at(-1)?.kind, 'error');
  assert.match(`${actions.at(-1)?.detail}`, /^internal error \(fault 1\)/);
  assert.equal(testBox.faults.length, 1);
});

test('an unexpected fault while an app is read leaves the others in both lists', (context) => {
  for (const name of ['a', 'bad', 'c']) {
    testBox.installed(name);
    testBox.bundle(`${name}${name === 'bad' ? '' : '2'}`);
  }
  breakFor(context, 'read');
  const listed = listApps(testBox.box).map((app) => `${app.name} ${app.ok}`);
  assert.deepEqual(listed, ['a true', 'bad false', 'c true']);
  assert.deepEqual(
    listBundledApps(testBox.box).map(({ name }) => name),
    ['a2', 'c2'],
  );
});

test('shows no output of the container tool while the secrets of an app cannot be read', async (context) => {
  for (const name of ['a', 'bad']) testBox.installed(name);
  breakFor(context, 'viewEnv');
  testBox.containers.failing.set('up', new ContainersFailed('cannot read PW=hunter2', false));
  const details = (await reconcile(testBox.box, null)).map(({ detail }) => detail);
  assert.deepEqual(details, [unshownText, unshownText]);
});

test('an app can be removed whatever fault its files cause', async (context) => {
  for (const name of ['a', 'bad']) testBox.installed(name);
  await reconcile(testBox.box, null);
  breakFor(context, 'digest');
  assert.match((await removeApp(testBox.box, 'bad')) ?? '', /^internal error \(fault 1\).*taken down by their labels$/);
  assert.equal(existsSync(join(testBox.directories.installed, 'bad')), false);
  assert.deepEqual(
    testBox.containers.containers.map(({ project }) => project),
    ['a'],
  );
});

test('deeply nested files break no install, update of all apps, or removal', async () => {
  testBox.installed('deep-env', { '.env': `A=${nested(100_000)}\n` });
  testBox.installed('deep-name', {
    'compose.yaml': `name: "${nested(30_000)}"\nservices: {web: {image: x}}\n`,
  });
  testBox.installed('deep-yaml', { 'compose.yaml': `name: ${'['.repeat(100_000)}\n` });
  testBox.installed('deep-manifest', {
    'manifest.json': `{"name":"d","version":"1","ports":[{"port":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}]}`,
  });
  testBox.bundle('b');
  const { actions } = await installApp(testBox.box, { name: 'b', settings: {} });
  const failed = actions.filter(({ kind }) => kind === 'error');
  assert.deepEqual(
    failed.map(({ target, detail }) => `${target}: ${detail}`),
    ['deep-yaml: its Compose file cannot be read: it is nested too deeply'],
  );
  JSON.stringify(listApps(testBox.box));
  for (const { name } of listApps(testBox.box)) await removeApp(testBox.box, name);
  assert.deepEqual(listApps(testBox.box), []);
  assert.deepEqual(testBox.faults, []);
});
