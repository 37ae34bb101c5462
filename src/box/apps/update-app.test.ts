import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import type { AppsBox } from './ports.ts';
import * as update from './update-app.ts';

const updateApp = async (box: AppsBox, name: string) => (await update.updateApp(box, name)).services;

const compose = `services:
  web: { image: "web:\${VERSION:-1}", restart: always }
  db: { image: db:1, restart: always }
  own: { image: own:1, build: . }
  job: { image: job:1 }
`;

const testBox = useTestBox();
beforeEach(async () => {
  testBox.installed('a', { 'compose.yaml': compose });
  testBox.installed('b');
  await reconcile(testBox.box, null);
  testBox.containers.calls = [];
});

const idOf = (service: string) => testBox.containers.containers.find((one) => one.service === service)?.id;
const imageOf = (service: string) =>
  testBox.containers.containers.find((one) => one.service === service && one.project === 'a')?.imageId;

test('with nothing newer looks, pulls, builds what is built here, and recreates nothing', async () => {
  const before = testBox.containers.containers;
  assert.deepEqual(await updateApp(testBox.box, 'a'), []);
  assert.deepEqual(testBox.containers.calls, ['observe', 'pull a', 'build a', 'imageIds']);
  assert.deepEqual(testBox.containers.containers, before);
});

test('refuses while another project runs from the folder, before anything is touched', async () => {
  const [own] = testBox.containers.containers;
  if (own !== undefined)
    testBox.containers.containers.push({ ...own, id: 'mine', name: 'mine-web-1', project: 'mine' });
  const message = /a is not updated: mine-web-1 of another project also runs .*; stop with: docker stop mine-web-1$/;
  await assert.rejects(updateApp(testBox.box, 'a'), { message });
  assert.deepEqual(testBox.containers.calls, ['observe']);
});

const stop = (...services: string[]) => {
  for (const one of testBox.containers.containers)
    if (one.project === 'a' && services.includes(one.service)) Object.assign(one, { state: 'exited', exitCode: 137 });
};

test('reports services that a killed update stopped and did not replace', async () => {
  stop('web');
  const old = testBox.containers.containers.find(({ name }) => name === 'a-web-1');
  assert.ok(old);
  const made = { ...old, id: 'new', name: `${old.id.slice(0, 12)}_a-web-1`, state: 'created', imageId: 'sha256:web2' };
  testBox.containers.containers.push(made);
  testBox.containers.registry.set('web:1', 'sha256:web2');
  testBox.installed('a', { '.env': 'OTHER=1\n' });
  const [change] = await updateApp(testBox.box, 'a');
  assert.deepEqual(change, { service: 'web', from: 'sha256:web:1', to: 'sha256:web2', tag: 'web:1' });
  assert.equal(imageOf('web'), 'sha256:web2');
});

test('rolls back only the services that it recreated (should/box/240)', async () => {
  stop('db');
  testBox.containers.registry.set('web:1', 'sha256:bad');
  testBox.containers.fate.set('sha256:bad', { state: 'dead' });
  await assert.rejects(
    updateApp(testBox.box, 'a'),
    /; the app runs its old images again; its data stays as the newer version left it$/,
  );
  assert.equal(imageOf('web'), 'sha256:web:1');
  assert.ok(!testBox.containers.calls.includes('up a'));
});

test('does not compare the container of a service that the Compose file no longer has', async () => {
  testBox.containers.registry.set('db:1', 'sha256:db2');
  testBox.installed('a', { 'compose.yaml': 'services: { web: { image: "web:1" } }\n' });
  testBox.containers.images.set('db:1', 'sha256:db2');
  assert.deepEqual(await updateApp(testBox.box, 'a'), []);
});

test('uses the tag that the Compose file names now', async () => {
  testBox.installed('a', { '.env': 'VERSION=2\n' });
  const [change] = await updateApp(testBox.box, 'a');
  assert.deepEqual(change, { service: 'web', from: 'sha256:web:1', to: 'sha256:web:2', tag: 'web:2' });
});

test('rolls back to the old image if the container ends, and reports both (choice/box/122)', async () => {
  testBox.containers.registry.set('web:1', 'sha256:bad');
  testBox.containers.fate.set('sha256:bad', { state: 'exited', exitCode: 0 });
  const db = idOf('db');
  const message = /a-web-1 ended with status 0.*; the app runs its old images again; its data stays as the newer/;
  await assert.rejects(updateApp(testBox.box, 'a'), { message });
  assert.deepEqual([imageOf('web'), idOf('db')], ['sha256:web:1', db]);
  assert.equal(testBox.containers.images.get('web:1'), 'sha256:web:1');
});

test('is not rolled back for an untouched container that restarted before', async () => {
  testBox.containers.registry.set('web:1', 'sha256:web2');
  Object.assign(testBox.containers.containers.find(({ name }) => name === 'a-db-1') ?? {}, { restartCount: 1 });
  assert.equal((await updateApp(testBox.box, 'a')).length, 1);
  assert.equal(imageOf('web'), 'sha256:web2');
});

test('is rolled back if it breaks a container that it did not recreate', async () => {
  testBox.containers.registry.set('db:1', 'sha256:db2');
  const { up } = testBox.containers;
  testBox.containers.up = async (...given) => {
    const said = await up.apply(testBox.containers, given);
    const web = testBox.containers.containers.find(({ name }) => name === 'a-web-1');
    if (imageOf('db') === 'sha256:db2') Object.assign(web ?? {}, { state: 'restarting', restartCount: 3 });
    return said;
  };
  await assert.rejects(updateApp(testBox.box, 'a'), /a-web-1 does not stay up: .*; the app runs its old/);
});

test('reports a failed roll-back', async () => {
  testBox.containers.registry.set('web:1', 'sha256:bad');
  testBox.containers.fate.set('sha256:bad', { state: 'dead' });
  testBox.containers.fail('tag', 'disk full');
  await assert.rejects(
    updateApp(testBox.box, 'a'),
    /does not stay up; the old images could not be put back: disk full/,
  );
});

test('waits for a container that is slow to become healthy', async () => {
  testBox.containers.registry.set('web:1', 'sha256:slow');
  testBox.containers.fate.set('sha256:slow', { health: 'starting' });
  const { pause } = testBox.box;
  let looks = 0;
  testBox.box.pause = async (ms) => {
    looks += 1;
    const web = testBox.containers.containers.find(({ name }) => name === 'a-web-1');
    if (looks === 20 && web) web.health = 'healthy';
    return pause(ms);
  };
  assert.equal((await updateApp(testBox.box, 'a')).length, 1);
  assert.equal(looks, 20);
});

test('answers within the start period of a container that is not healthy yet, and says until when it may', async () => {
  testBox.containers.registry.set('web:1', 'sha256:slow');
  const before = testBox.clock.now.getTime();
  testBox.containers.fate.set('sha256:slow', { health: 'starting', startPeriodMs: 20 * 60_000 });
  const { services, starting } = await update.updateApp(testBox.box, 'a');
  assert.deepEqual([services.length, starting], [1, ['web: still starting, allowed until 2026-01-02 03:24 UTC']]);
  assert.equal(imageOf('web'), 'sha256:slow');
  assert.ok(testBox.clock.now.getTime() - before < 20_000);
});

test('is rolled back if a container becomes unhealthy after its start period, with the end of its log', async () => {
  testBox.containers.registry.set('web:1', 'sha256:slow');
  testBox.containers.log = 'waiting for the database\n';
  testBox.containers.fate.set('sha256:slow', { health: 'starting', startPeriodMs: 10_000 });
  const { pause } = testBox.box;
  testBox.box.pause = async (ms) => {
    const web = testBox.containers.containers.find(({ imageId }) => imageId === 'sha256:slow');
    if (web && testBox.clock.now.getTime() - Number(web.startedAt) > 30_000) web.health = 'unhealthy';
    return pause(ms);
  };
  const message =
    'a-web-1 is unhealthy; its log ends with: waiting for the database; the app runs its old images again; its data stays as the newer version left it';
  await assert.rejects(updateApp(testBox.box, 'a'), { status: 502, message });
  assert.equal(imageOf('web'), 'sha256:web:1');
});

test('the card shows the old container at once after a roll-back', async () => {
  testBox.containers.registry.set('web:1', 'sha256:bad');
  testBox.containers.fate.set('sha256:bad', { state: 'restarting' });
  await assert.rejects(updateApp(testBox.box, 'a'));
  const states = testBox.box.states.of(testBox.box.apps.all('installed'));
  assert.equal(states.get('a')?.state, 'running');
});

test('choice/box/37: is refused for a link', async () => {
  const link = join(testBox.directories.installed, 'link');
  symlinkSync(join(testBox.directories.installed, 'a'), link);
  await assert.rejects(updateApp(testBox.box, 'link'), {
    status: 404,
    message: `the app link is not installed: ${link} is a link, and links are not followed`,
  });
});

test('is a failure of the container tool for an app without a readable project', async () => {
  testBox.installed('none', { 'compose.yaml': '' });
  assert.deepEqual(await updateApp(testBox.box, 'none'), []);
  testBox.installed('tabs', { 'compose.yaml': 'services: [' });
  testBox.installed('env', { '.env': 'x'.repeat(2 * 1024 * 1024) });
  for (const name of ['tabs', 'env']) {
    await assert.rejects(updateApp(testBox.box, name), { refusal: 'containerToolFailed' }, name);
  }
});

test('does not touch containers from another folder', async () => {
  testBox.installed('c', { 'compose.yaml': `name: a\n${compose}` });
  await assert.rejects(updateApp(testBox.box, 'c'), { message: /the project a is that of .*\/a$/ });
  assert.ok(!testBox.containers.calls.includes('up a'));
});

test('shows no secret of a Compose file, of its name or of a damaged .env (choice/box/530)', async () => {
  const manifest = JSON.stringify({ name: 'a', version: '1', settings: [{ name: 'PW', type: 'password' }] });
  const services = 'services:\n  web: { image: web:1 }\n';
  const named = `name: "\${PW}"\n${services}`;
  const message = async (files: Record<string, string>): Promise<string> => {
    const env = 'PW=Top.Secret\n';
    testBox.installed('s', { 'manifest.json': manifest, 'compose.yaml': named, '.env': env, ...files });
    return updateApp(testBox.box, 's').then(
      () => assert.fail('it was updated'),
      (error: Error) => error.message,
    );
  };
  const env = 'PW=Top.Secret\nCOMPOSE_PROJECT_NAME=Top.Secret\n';
  assert.equal(await message({ '.env': env }), 'invalid project name "•••"');
  // Another app already uses this project name.
  testBox.installed('other', { 'compose.yaml': `name: topsecret\n${services}` });
  await reconcile(testBox.box, null);
  assert.match(await message({ '.env': 'PW=topsecret\n' }), /^the project ••• is that of /);
  for (const broken of ['web: *Top.Secret', '"Top.Secret": [', 'a: b\n"Top.Secret"', '!Top.Secret x: {']) {
    const said = await message({ 'compose.yaml': `${services}${broken}` });
    assert.match(said, /^s cannot be updated: its Compose file cannot be read: \w.*[\w)]$/);
    assert.doesNotMatch(said, /secret/i);
  }
});

test('shows no secret of an app whose manifest cannot be read', async () => {
  testBox.installed('b', { 'manifest.json': '{', '.env': 'DB_PASSWORD=hunter2hunter2\nMODE=plain\n' });
  testBox.containers.fail('pull', 'odd hunter2hunter2 plain');
  await assert.rejects(updateApp(testBox.box, 'a'), { message: 'odd ••• plain' });
});

test('keeps no unmasked output of the container tool for the log', async () => {
  const manifest = JSON.stringify({ name: 'a', version: '1', settings: [{ name: 'PW', type: 'password' }] });
  testBox.installed('b', { 'manifest.json': manifest, '.env': 'PW=hunter2hunter2\n' });
  testBox.containers.fail('observe', 'odd hunter2hunter2');
  await assert.rejects(testBox.box.containers.observe(), (error: Error) => {
    assert.doesNotMatch(inspect(error, { depth: null }), /hunter2/);
    return true;
  });
});
