import assert from 'node:assert/strict';
import fs, { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { finishWaiting } from '../change/finish.ts';
import { StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { treeOf, useTestBox } from '../testing/test-box.ts';
import { updateApp } from './update-app.ts';

const files = (version: string, more = '') => ({
  'manifest.json': JSON.stringify({ name: 'a', version, settings: [{ name: 'PW', type: 'password' }] }),
  'compose.yaml': `services:
  web: { image: "web:${version}", restart: always, env_file: .env }
  db: { image: db:1, restart: always }
${more}`,
  '.env.example': 'PORT=80\n',
  'conf/a.conf': version,
});
const withNewKey = { ...files('1.11'), '.env.example': 'PORT=80\nNEW=1\n', 'new.conf': 'new' };

const testBox = useTestBox();
beforeEach(async () => {
  testBox.bundle('a', files('1.10'));
  testBox.installed('a', { ...files('1.10'), '.env': 'PORT=81\n', 'data/rows': 'mine' });
  testBox.installed('b');
  const { installFiles } = testBox.box;
  const plan = await installFiles.planRefresh('a', source());
  await installFiles.refresh('a', { source: source(), plan, env: null });
  await reconcile(testBox.box, null);
  testBox.containers.calls = [];
});

const source = () => join(testBox.directories.bundled, 'a');
const upgrade = () => updateApp(testBox.box, 'a');
/** Every file of the installed app with its bytes. */
const contents = () =>
  Object.fromEntries(
    treeOf(testBox.directories.installed, 'a')
      .filter((path) => !path.endsWith('/'))
      .map((path) => [path, readFileSync(join(testBox.directories.installed, path), 'utf8')]),
  );
const own = () => testBox.containers.containers.filter(({ project }) => project === 'a');
const images = () => Object.fromEntries(own().map(({ service, imageId }) => [service, imageId]));
const oldImages = { db: 'sha256:db:1', web: 'sha256:web:1.10' };
const leftovers = () => testBox.tree().filter((path) => /boxgate|install-|journal/.test(path));
const stop = (...services: string[]) => {
  for (const one of own()) if (services.includes(one.service)) Object.assign(one, { state: 'exited', exitCode: 137 });
};

test('choice/box/304: installs files, images and containers of the newer version, and reports it', async () => {
  testBox.bundle('a', withNewKey);
  assert.deepEqual(await upgrade(), {
    services: [{ service: 'web', from: 'sha256:web:1.10', to: 'sha256:web:1.11', tag: 'web:1.11' }],
    starting: [],
    upgrade: { from_version: '1.10', to_version: '1.11', kept: [] },
  });
  assert.deepEqual(images(), { db: 'sha256:db:1', web: 'sha256:web:1.11' });
  assert.equal(testBox.file('a/conf/a.conf'), '1.11');
  assert.equal(testBox.file('a/.env'), 'PORT=81\nNEW=1\n');
  assert.equal(testBox.file('a/data/rows'), 'mine');
  assert.deepEqual(leftovers(), []);
  assert.deepEqual(await upgrade(), { services: [], starting: [], upgrade: null });
});

test('choice/box/304: pulls before anything is changed', async () => {
  testBox.bundle('a', withNewKey);
  const before = contents();
  const containers = own();
  testBox.containers.fail('pull', 'manifest for web:1.11 not found');
  await assert.rejects(upgrade(), { status: 502, message: 'manifest for web:1.11 not found' });
  assert.deepEqual(contents(), before);
  assert.deepEqual(own(), containers);
  assert.deepEqual(leftovers(), []);
});

test('a tidy-up that fails once the new version is kept takes nothing back, and is done later', async (t) => {
  testBox.bundle('a', withNewKey);
  const { rm } = fs.promises;
  t.mock.method(fs.promises, 'rm', async (path: string, options: object) => {
    if (/\/install-[0-9a-f]+$/.test(path) && testBox.box.backup.files.journal()?.way === 'forth')
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return rm(path, options);
  });
  syncBuiltinESMExports();
  await upgrade().finally(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.deepEqual([images().web, testBox.file('a/conf/a.conf')], ['sha256:web:1.11', '1.11']);
  assert.equal(await finishWaiting(testBox.box, 'a'), null);
  assert.deepEqual([testBox.file('a/conf/a.conf'), leftovers()], ['1.11', []]);
});

test("choice/box/304: pulls for a Compose file with another name and the owner's override", async () => {
  testBox.installed('a', { 'compose.override.yaml': 'services:\n  web: { image: "own:2" }\n' });
  rmSync(join(source(), 'compose.yaml'));
  testBox.bundle('a', { ...files('1.11'), 'compose.yaml': '', 'compose.yml': files('1.11')['compose.yaml'] });
  await upgrade();
  assert.deepEqual(images(), { db: 'sha256:db:1', web: 'sha256:own:2' });
  assert.ok(!existsSync(join(testBox.directories.installed, 'a/compose.yaml')));
});

test('choice/box/304: a version with the same images replaces the files', async () => {
  testBox.bundle('a', { ...files('1.10'), 'manifest.json': files('1.11')['manifest.json'] });
  const { services, upgrade: came } = await upgrade();
  assert.deepEqual([services, came?.to_version], [[], '1.11']);
  assert.match(testBox.file('a/manifest.json'), /1\.11/);
});

describe('choice/box/304: if the new version does not run', () => {
  test('restores files, .env and containers, and reports both', async () => {
    testBox.installed('a', { 'conf/a.conf': 'edited' });
    testBox.bundle('a', withNewKey);
    const before = contents();
    testBox.containers.fate.set('sha256:web:1.11', { state: 'exited', exitCode: 3 });
    await assert.rejects(upgrade(), {
      status: 502,
      message:
        /^a-web-1 ended with status 3.*; the app runs version 1\.10 again; its data stays as the newer version left it$/,
    });
    assert.deepEqual(contents(), before);
    assert.deepEqual(images(), oldImages);
    assert.deepEqual([...new Set(own().map(({ state }) => state))], ['running']);
    assert.deepEqual(leftovers(), []);
  });

  test('restores the tag of an image whose tag moved', async () => {
    testBox.containers.registry.set('db:1', 'sha256:db2');
    testBox.containers.fate.set('sha256:db2', { state: 'restarting', restartCount: 4 });
    testBox.bundle('a', withNewKey);
    await assert.rejects(upgrade(), { status: 502 });
    assert.equal(testBox.containers.images.get('db:1'), 'sha256:db:1');
    assert.deepEqual(images(), oldImages);
  });

  for (const [title, fault, refusal] of [
    [
      'new files that cannot be made final are put back',
      new StorageFailed('no space left on the disk'),
      { status: 502, message: /^no space left on the disk; the app runs version 1\.10 again; its data stays as/ },
    ],
    [
      'a fault that nobody foresaw puts the old version back and is thrown as it is',
      new TypeError('nobody foresaw this'),
      { name: 'TypeError' },
    ],
  ] as const) {
    test(title, async () => {
      testBox.bundle('a', withNewKey);
      const before = contents();
      testBox.box.installFiles.keep = () => Promise.reject(fault);
      await assert.rejects(upgrade(), refusal);
      assert.deepEqual(contents(), before);
      assert.deepEqual(images(), oldImages);
    });
  }

  test('reports both if the old version cannot be started', async () => {
    testBox.bundle('a', withNewKey);
    const before = contents();
    testBox.containers.fail('up', 'port is taken');
    const message = 'port is taken; version 1.10 could not be put back: port is taken';
    await assert.rejects(upgrade(), { status: 502, message });
    assert.deepEqual(contents(), before);
  });
});

test('choice/box/304: a stopped app gets the files and stays stopped', async () => {
  stop('web', 'db');
  testBox.bundle('a', files('1.11'));
  const { services, upgrade: came } = await upgrade();
  assert.deepEqual([services, came?.to_version], [[], '1.11']);
  assert.ok(!testBox.containers.calls.some((call) => call.startsWith('up')));
  assert.equal(testBox.file('a/conf/a.conf'), '1.11');
  assert.ok(testBox.containers.images.has('web:1.11'));
});

test('choice/box/304: a stopped service stays stopped, a new one starts', async () => {
  stop('db');
  testBox.bundle('a', files('1.11', '  cache: { image: cache:1 }\n'));
  await upgrade();
  assert.ok(testBox.containers.calls.includes('up a cache web'));
  const states = own().map(({ service, state }) => `${service} ${state}`);
  assert.deepEqual(states.sort(), ['cache running', 'db exited', 'web running']);
});

test('choice/box/304: asks for a secret that only the owner can give before anything is changed', async () => {
  testBox.bundle('a', { ...files('1.11'), '.env.example': 'PORT=80\nPW=change-me\n' });
  const before = contents();
  const env = join(testBox.directories.installed, 'a/.env');
  await assert.rejects(upgrade(), {
    status: 400,
    message: `version 1.11 of a needs values of your own for PW: set them in ${env} and update again`,
  });
  assert.deepEqual([contents(), testBox.containers.calls], [before, []]);
  writeFileSync(env, 'PORT=81\nPW=mine\n');
  assert.equal((await upgrade()).upgrade?.to_version, '1.11');
});

test('choice/box/304: refuses a port in use before anything is changed', async () => {
  const other = testBox.containers.containers.find(({ project }) => project === 'b');
  Object.assign(other ?? {}, {
    published: [{ address: '0.0.0.0', hostPort: 8080, containerPort: 80, protocol: 'tcp' }],
  });
  testBox.bundle('a', files('1.11', '  cache: { image: cache:1, ports: ["8080:80"] }\n'));
  const before = contents();
  await assert.rejects(upgrade(), { status: 400, message: /port 8080 is in use by/ });
  assert.deepEqual(contents(), before);
  assert.deepEqual(images(), oldImages);
});

for (const [title, text, message] of [
  ['has no Compose file', '', /^version 1\.11 cannot be used: it has no Compose file/],
  ['has another project', `name: x\n${files('1.11')['compose.yaml']}`, /Compose project from a to x/],
] as const) {
  test(`choice/box/304: a version that ${title} fails and changes nothing`, async () => {
    rmSync(source(), { recursive: true });
    testBox.bundle('a', { ...files('1.11'), 'compose.yaml': text });
    const before = contents();
    await assert.rejects(upgrade(), { status: 502, message });
    assert.deepEqual(contents(), before);
    assert.deepEqual(images(), oldImages);
  });
}

describe('an app whose version before never came up', () => {
  beforeEach(async () => {
    testBox.containers.fate.set('sha256:web:1.10', { state: 'exited', exitCode: 3 });
    testBox.containers.containers = [];
    await reconcile(testBox.box, 'a');
    testBox.bundle('a', files('1.11'));
  });

  test('runs after an update to one that is good', async () => {
    assert.equal((await updateApp(testBox.box, 'a')).upgrade?.to_version, '1.11');
    assert.deepEqual([...new Set(own().map(({ state }) => state))], ['running']);
    assert.equal(testBox.box.records.load().get('a')?.failure, null);
  });

  test('and an update to one that is not says why', async () => {
    testBox.containers.fate.set('sha256:web:1.11', { state: 'exited', exitCode: 4 });
    const message = /^version 1\.11 is installed, but it does not run: a-web-1 ended with status 4/;
    await assert.rejects(upgrade(), { status: 502, message });
  });
});

test('an app without a Compose file gets the files', async () => {
  testBox.installed('c', { 'compose.yaml': '' });
  testBox.bundle('c', { 'manifest.json': files('1.11')['manifest.json'] });
  assert.equal((await updateApp(testBox.box, 'c')).upgrade?.to_version, '1.11');
  assert.deepEqual(testBox.containers.calls, []);
});
