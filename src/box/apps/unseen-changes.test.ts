// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { updateAppSettings } from './settings.ts';
import { updateApp } from './update-app.ts';

/** Changes that Compose does not count as one, though the containers would not see them. */

const testBox = useTestBox();
const install = async () => (await installApp(testBox.box, { name: 'notes', settings: {} })).actions;
const files = (version: string, more: Record<string, string> = {}) => ({
  'manifest.json': JSON.stringify({ name: 'notes', version, settings: [{ name: 'PORT' }] }),
  'compose.yaml': 'services: { web: { image: "web:1" }, db: { image: "db:1" } }\n',
  ...more,
});
const idOf = (service: string) => testBox.containers.containers.find((one) => one.service === service)?.id;
const mounting = (version: string, path = 'app.conf', text = 'one') =>
  files(version, {
    'compose.yaml': `services: { web: { image: "web:1", volumes: ["./${path}:/conf"] }, db: { image: "db:1" } }\n`,
    ...(path === '.env' ? {} : { [path]: text }),
  });

const writers: Record<string, () => Promise<unknown>> = {
  Reinstall: install,
  Update: () => {
    testBox.bundle('notes', mounting('2', 'app.conf', 'two'));
    return updateApp(testBox.box, 'notes');
  },
};
for (const [button, press] of Object.entries(writers)) {
  test(`${button} recreates the services that mount a file which it replaces, and no other ones`, async () => {
    testBox.bundle('notes', mounting('1'));
    await install();
    testBox.bundle('notes', { 'app.conf': 'two' });
    const before = [idOf('web'), idOf('db')];
    testBox.containers.calls = [];
    await press();
    assert.ok(testBox.containers.calls.includes('up notes recreate web'), testBox.containers.calls.join());
    assert.deepEqual([idOf('web') === before[0], idOf('db') === before[1]], [false, true]);
    await reconcile(testBox.box, null);
    testBox.containers.calls = [];
    assert.ok((await reconcile(testBox.box, null)).every(({ kind }) => kind === 'noop'));
    assert.ok(testBox.containers.calls.every((call) => !call.startsWith('up')));
  });
}

test('a power cut after a file was replaced leaves its recreation to the next reconcile', async () => {
  testBox.bundle('notes', mounting('1'));
  await install();
  testBox.bundle('notes', { 'app.conf': 'two' });
  testBox.containers.fail('up', 'the power went');
  await install();
  testBox.containers.failing.clear();
  const before = idOf('web');
  await reconcile(testBox.box, null);
  assert.notEqual(idOf('web'), before);
});

test('a file that the app itself writes recreates nothing', async () => {
  testBox.bundle('notes', mounting('1'));
  await install();
  testBox.installed('notes', { 'app.conf': 'written by the app' });
  testBox.containers.calls = [];
  assert.ok((await reconcile(testBox.box, 'notes')).every(({ kind }) => kind === 'noop'));
  assert.ok(testBox.containers.calls.every((call) => !call.startsWith('up')));
});

test('a service that mounts the .env sees each change of the settings', async () => {
  testBox.bundle('notes', mounting('1', '.env'));
  await install();
  const before = idOf('web');
  await updateAppSettings(testBox.box, { name: 'notes', settings: { PORT: '1' } });
  assert.notEqual(idOf('web'), before);
  assert.deepEqual(testBox.box.records.load().get('notes')?.replaced, []);
});

test('an install, a reinstall and an update build what is built here, and settings do not', async () => {
  const built = 'services: { web: { image: "web:1", build: . } }\n';
  testBox.containers.images.set('web:1', 'sha256:built');
  testBox.bundle('notes', files('1', { 'compose.yaml': built }));
  const builds = async (press: () => Promise<unknown>) => {
    testBox.containers.calls = [];
    await press();
    return testBox.containers.calls.filter((call) => call === 'build notes').length;
  };
  assert.equal(await builds(install), 1);
  assert.equal(await builds(install), 1);
  assert.equal(await builds(() => updateAppSettings(testBox.box, { name: 'notes', settings: { PORT: '1' } })), 0);
  assert.equal(await builds(() => updateApp(testBox.box, 'notes')), 1);
  testBox.bundle('notes', files('2', { 'compose.yaml': built }));
  assert.equal(await builds(() => updateApp(testBox.box, 'notes')), 1);
  testBox.bundle('notes', files('3', { 'compose.yaml': built }));
  testBox.containers.fail('build', 'no such Dockerfile');
  await assert.rejects(updateApp(testBox.box, 'notes'), {
    message: /no such Dockerfile; the app runs version 2 again/,
  });
  for (const container of testBox.containers.containers) Object.assign(container, { state: 'exited' });
  await assert.rejects(updateApp(testBox.box, 'notes'), { message: /no such Dockerfile; the app stays at version 2/ });
  assert.match(testBox.file('notes/manifest.json'), /"version":"2"/);
  testBox.containers.failing.clear();
  assert.equal(await builds(() => updateApp(testBox.box, 'notes')), 1);
  assert.match(testBox.file('notes/manifest.json'), /"version":"3"/);
});

test('a service that a profile switches off is removed; one that the owner started by hand stays', async () => {
  testBox.bundle('notes', files('1'));
  const { containers } = testBox;
  await install();
  containers.calls = [];
  const noting = (call: string) => async () => void containers.calls.push(call);
  Object.assign(testBox.box, {
    addresses: { ...testBox.box.addresses, hold: noting('hold'), release: noting('release') },
  });
  const [web] = containers.containers;
  containers.containers.push({ ...web, id: 'by hand', name: 'notes-tool-1', service: 'tool' } as never);
  containers.kept = new Set(['db', 'tool']);
  testBox.installed('notes', { 'compose.yaml': 'services: { web: { image: "web:1" } }\n' });
  const actions = await reconcile(testBox.box, 'notes');
  assert.deepEqual(
    actions.filter(({ kind }) => kind === 'remove_orphan').map(({ target, detail }) => [target, detail]),
    [['notes/db', 'removed: its Compose file or .env changed']],
  );
  assert.deepEqual(containers.containers.map(({ service }) => service).sort(), ['tool', 'web']);
  // A container has its own stop period only if it is stopped before it is removed. Its published port stays closed.
  assert.match(containers.calls.join(), /hold,stop notes-db-1,removeContainers,release/);
});

/** Compose has removed such a container before the box looks for those that a profile has switched off. */
const fewerServices = 'services: { app: { image: "web:1" } }\n';
const withoutServices: Record<string, () => Promise<unknown>> = {
  'a newer version': () => {
    testBox.bundle('notes', files('2', { 'compose.yaml': fewerServices }));
    return updateApp(testBox.box, 'notes');
  },
  "the owner's edit": async () => {
    testBox.installed('notes', { 'compose.yaml': fewerServices });
    const actions = await reconcile(testBox.box, 'notes');
    assert.deepEqual(
      actions.map(({ kind, target }) => `${kind} ${target}`),
      ['create notes/app', 'remove_orphan notes/db', 'remove_orphan notes/web'],
    );
  },
};
for (const [what, press] of Object.entries(withoutServices)) {
  test(`services that ${what} leaves out or renames are gone, and the app runs`, async () => {
    testBox.bundle('notes', files('1'));
    await install();
    await press();
    assert.deepEqual(
      testBox.containers.containers.map(({ service, state }) => `${service} ${state}`),
      ['app running'],
    );
  });
}

test('an install warns of variables that nothing sets', async () => {
  // Compose names a part of a password that has a dollar sign too.
  testBox.bundle('notes', { ...files('1'), '.env.example': 'A_KEY=x$tango77-${delta88:-y}\n' });
  testBox.containers.unset = ['DB_PASSWORD', 'tango77', 'SMTP_HOST', 'delta88'];
  const warning = (await install()).find(({ kind }) => kind === 'warn');
  const env = `${testBox.directories.installed}/notes/.env`;
  const said = `nothing sets DB_PASSWORD, SMTP_HOST, so the containers get an empty text; add a line to ${env}`;
  assert.equal(warning?.detail, said);
});

test('an install names powers as good as root, also that to write the own Compose file', async () => {
  const volumes = ['".:/app"', '"/srv:/s:ro"'];
  testBox.bundle(
    'notes',
    files('1', { 'compose.yaml': `services: { web: { image: "web:1", volumes: [${volumes}] } }\n` }),
  );
  const warning = (await install()).find(({ kind }) => kind === 'warn');
  assert.equal(warning?.detail, 'as good as root on the box: web (/srv, may write its own compose.yaml)');
});

test('a secret in a file beside the app is found where the app is, not where it was planned', async () => {
  const uses = 'services: { web: { image: "web:1", secrets: [s] } }\nsecrets: { s: { file: ../shared.txt } }\n';
  testBox.bundle('notes', files('1', { 'compose.yaml': uses }));
  const shared = join(testBox.directories.installed, 'shared.txt');
  writeFileSync(shared, 'one');
  await install();
  await reconcile(testBox.box, 'notes');
  const before = idOf('web');
  writeFileSync(shared, 'two');
  await reconcile(testBox.box, 'notes');
  assert.notEqual(idOf('web'), before);
});
