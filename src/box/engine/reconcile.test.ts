// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { reconcile } from './reconcile.ts';

const testBox = useTestBox();

const run = async (first: string | null = null) =>
  (await reconcile(testBox.box, first)).map(({ kind, target }) => `${kind} ${target}`);
const details = async () => (await reconcile(testBox.box, null)).map(({ detail }) => detail);
const names = Array.from({ length: 12 }, (_, index) => `app${String(index).padStart(2, '0')}`);

/** The calls of the engine during one more reconcile. */
async function callsOf(): Promise<string[]> {
  testBox.containers.calls = [];
  await run();
  return testBox.containers.calls;
}

test('costs one listing and nothing else when nothing changed', async () => {
  for (const name of names) testBox.installed(name);
  await run();
  assert.deepEqual(await callsOf(), ['observe']);
});

test('saves its records only if they changed', async (context) => {
  for (const name of names) testBox.installed(name);
  const save = context.mock.method(testBox.box.records, 'save');
  const saves = async () => {
    const before = save.mock.callCount();
    await run();
    return save.mock.callCount() - before;
  };
  assert.equal(await saves(), 1);
  assert.equal(await saves(), 0);
  testBox.installed('app07', { '.env': 'A=1\n' });
  assert.equal(await saves(), 1);
  testBox.installed('app07', { 'compose.yaml': 'services:\n  web:\n    image: registry/web:2\n' });
  assert.equal(await saves(), 1);
  rmSync(join(testBox.directories.installed, 'app07'), { recursive: true });
  await run();
  assert.equal(await saves(), 0);
  assert.equal(testBox.box.records.load().size, names.length - 1);
});

test('costs one listing and one up when one of many changed', async () => {
  for (const name of names) testBox.installed(name);
  await run();
  testBox.installed('app07', { '.env': 'A=1\n' });
  assert.deepEqual(await callsOf(), ['observe', 'config app07', 'up app07', 'observe']);
});

test('notices a changed large secret or config, and never reads a pipe', async () => {
  const compose = (more: string, uses = '') => `services:\n  web: { image: web:1 ${uses} }\n${more}`;
  const at = (file: string) => join(testBox.directories.installed, file);
  const mounted = 'configs: { a: { file: large } }\nsecrets: { b: { file: pipe } }\n';
  testBox.installed('mounts', { 'compose.yaml': compose(mounted, ', configs: [a], secrets: [b]'), large: 'x' });
  testBox.installed('reads', { 'compose.yaml': compose('include: large\n'), large: 'x' });
  for (const name of ['mounts', 'reads']) truncateSync(at(`${name}/large`), 65 * 1024 * 1024);
  execFileSync('mkfifo', [at('mounts/pipe')]);
  assert.deepEqual(await run(), ['create mounts/web', 'error reads']);
  assert.deepEqual(await callsOf(), ['observe']);
  truncateSync(at('mounts/large'), 66 * 1024 * 1024);
  assert.deepEqual(await callsOf(), ['observe', 'up mounts', 'observe', 'up mounts recreate web', 'observe']);
});

test('uses the override file, and removes services that it no longer has', async () => {
  testBox.installed('a', { 'compose.override.yml': 'services:\n  extra: { image: extra:1 }\n' });
  assert.deepEqual(await run(), ['create a/extra', 'create a/web']);
  rmSync(join(testBox.directories.installed, 'a/compose.override.yml'));
  assert.deepEqual(await run(), ['remove_orphan a/extra', 'recreate a/web']);
  assert.deepEqual(await callsOf(), ['observe']);
});

test('skips an app with a broken manifest or a placeholder, fails one without a readable Compose file', async () => {
  testBox.installed('broken', { 'manifest.json': '{' });
  testBox.installed('none', { 'compose.yaml': '' });
  testBox.installed('placeholder', { '.env': 'KEY=changeme\n' });
  testBox.installed('tabs', { 'compose.yaml': 'services: [\nPASSWORD: hidden' });
  testBox.installed('line\nend');
  testBox.installed('named', { 'compose.yaml': 'name: "!!"\nservices: {}\n' });
  assert.deepEqual(await run(), [
    'skip broken',
    'skip line\nend',
    'error named',
    'skip none',
    'skip placeholder',
    'error tabs',
  ]);
  assert.ok(!(await details()).join().includes('hidden'));
  assert.deepEqual(await callsOf(), ['observe', 'config', 'up !!']);
});

test('an app that lost its Compose file is an error, one that never had one is skipped', async () => {
  testBox.installed('a');
  testBox.installed('none', { 'compose.yaml': '' });
  await run();
  rmSync(join(testBox.directories.installed, 'a/compose.yaml'));
  assert.deepEqual(await run(), ['error a', 'skip none']);
  assert.deepEqual(await run(), ['error a', 'skip none']);
  testBox.installed('a');
  assert.deepEqual(await callsOf(), ['observe']);
});

test('goes on with a container tool whose listing cannot be parsed', async () => {
  for (const name of ['a', 'b']) testBox.installed(name);
  testBox.containers.fail('observe', 'answered in a form that is not understood');
  for (const _ of [1, 2]) assert.deepEqual(await run('b'), ['start b', 'start a']);
  testBox.containers.failing.clear();
  assert.deepEqual(await run(), ['noop a', 'noop b']);
  assert.deepEqual(await callsOf(), ['observe']);
});

test('takes down a project whose folder is gone, and warns when it cannot', async () => {
  for (const name of ['a', 'gone']) testBox.installed(name);
  await run();
  rmSync(join(testBox.directories.installed, 'gone'), { recursive: true });
  testBox.containers.fail('downByName', 'stuck');
  assert.deepEqual(await run(), ['noop a', 'warn gone']);
  testBox.containers.failing.clear();
  assert.deepEqual(await run(), ['noop a', 'stop gone']);
  assert.deepEqual(await run(), ['noop a']);
});

test('removes the leftovers of a killed up beside the container that it was to replace', async () => {
  testBox.installed('a');
  await run();
  const [web] = testBox.containers.containers;
  assert.ok(web);
  const left = { ...web, id: 'left', name: `${web.id.slice(0, 12)}_${web.name}`, state: 'created' };
  testBox.containers.containers.push(left);
  assert.deepEqual(await callsOf(), ['observe', 'removeContainers', 'up a', 'observe']);
  assert.deepEqual(testBox.containers.containers, [web]);
});

test('goes on when its records cannot be written', async () => {
  testBox.installed('a');
  testBox.box.records.save = async () => {
    throw new StorageFailed('no space left on the disk');
  };
  assert.deepEqual(await run(), ['create a/web']);
  assert.deepEqual(testBox.warnings, ['no space left on the disk']);
});

test('an unreadable .env is an error of that app alone', async () => {
  testBox.installed('a', { '.env': `A=${'x'.repeat(1024 * 1024)}` });
  testBox.installed('b');
  assert.deepEqual(await run(), ['error a', 'create b/web']);
});

test('asks Compose once for each change, and at each reconcile if only Compose knows all files', async () => {
  testBox.installed('plain');
  testBox.installed('notes', {
    'compose.yaml': 'services: { web: { image: web:1, extends: { file: base.yaml, service: base } } }\n',
  });
  const { containers } = testBox;
  await run();
  assert.deepEqual(await callsOf(), ['observe', 'config notes']);
  // A change that no file of the app shows, for example in a file that an included one names.
  containers.configs.set('notes', { services: { web: { image: 'web:1', environment: { A: '2' } } } });
  assert.deepEqual(await callsOf(), ['observe', 'config notes', 'up notes', 'observe']);
  testBox.installed('plain', { '.env': 'V=2\n' });
  // The apps are looked at side by side.
  assert.deepEqual((await callsOf()).sort(), ['config notes', 'config plain', 'observe', 'observe', 'up plain']);
  assert.deepEqual(await callsOf(), ['observe', 'config notes']);
});

test('brings an app up without an answer of Compose', async () => {
  testBox.installed('notes', { 'compose.yaml': 'services: { web: { image: web:1, profiles: [a] } }\n' });
  testBox.installed('plain');
  assert.deepEqual(await run(), ['create notes/web', 'create plain/web']);
  assert.deepEqual(await callsOf(), ['observe']);
});

test('lets a paused container of the app acted on go on, and leaves that of another app', async () => {
  for (const name of ['a', 'b']) testBox.installed(name);
  await run();
  for (const one of testBox.containers.containers) one.state = 'paused';
  testBox.containers.calls = [];
  const [own, other] = await reconcile(testBox.box, 'a');
  assert.deepEqual([own?.kind, other?.kind, other?.detail], ['start', 'warn', 'its container b-web-1 is paused']);
  assert.deepEqual(
    testBox.containers.calls.filter((call) => /pause/.test(call)),
    ['unpause a-web-1'],
  );
});

test('starts a container again whose network another one provides, if that one was started alone', async () => {
  testBox.installed('a', { 'compose.yaml': 'services: { web: { image: web:1 }, side: { image: side:1 } }\n' });
  await run();
  const [web, side] = testBox.containers.containers;
  Object.assign(side ?? {}, { networkOf: web?.id });
  Object.assign(web ?? {}, { startedAt: Number(side?.startedAt) + 1 });
  testBox.containers.calls = [];
  const [action] = await reconcile(testBox.box, null);
  assert.match(
    action?.detail ?? '',
    /: its container a-side-1 lost the network of another one, which was started after it$/,
  );
  assert.deepEqual(
    testBox.containers.calls.filter((call) => /^st/.test(call)),
    ['stop a-side-1', 'start a-side-1'],
  );
});

test('a job that has done its work is not run again, unless it changed', async () => {
  testBox.installed('a', {
    'compose.yaml': `services:
  web: { image: web:1, restart: always, depends_on: { setup: { condition: service_completed_successfully } } }
  setup: { image: setup:1 }
`,
  });
  await run();
  const find = (service: string) => testBox.containers.containers.find((one) => one.service === service);
  Object.assign(find('setup') ?? {}, { state: 'exited' });
  Object.assign(find('web') ?? {}, { state: 'exited', exitCode: 1 });
  testBox.containers.calls = [];
  assert.deepEqual(await run('a'), ['noop a']);
  assert.deepEqual([find('setup')?.state, find('web')?.state], ['exited', 'running']);
  assert.deepEqual(
    testBox.containers.calls.filter((call) => call !== 'observe'),
    ['up a no-start', 'start a-web-1'],
  );
  testBox.containers.fail('start', 'the port is taken');
  Object.assign(find('web') ?? {}, { state: 'exited' });
  assert.deepEqual(await run('a'), ['error a']);
  testBox.containers.failing.clear();
  testBox.installed('a', { '.env': 'A=2\n' });
  testBox.containers.calls = [];
  await run('a');
  assert.equal(find('setup')?.state, 'running');
  assert.ok(testBox.containers.calls.includes('up a'));
});
