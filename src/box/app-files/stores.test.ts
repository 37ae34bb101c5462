// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installApp } from '../apps/install.ts';
import { listApps, listBundledApps } from '../apps/list-apps.ts';
import { newerFiles } from '../apps/newer-files.ts';
import { getAppSettings, undoAppSettings, updateAppSettings } from '../apps/settings.ts';
import { updateApp } from '../apps/update-app.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { restoreBeside } from '../backup/restore-beside.ts';
import { useTestBox } from '../testing/test-box.ts';
import { lookForNewer } from '../versions/look.ts';
import { updatesRoom } from '../versions/room.ts';

const testBox = useTestBox();

const app = (version: string, store?: string) => ({
  'manifest.json': JSON.stringify({ name: 'x', version, ...(store === undefined ? {} : { store }) }),
});
const offered = () =>
  listBundledApps(testBox.box).map(({ name, version, store = '' }) => `${name} ${version} ${store}`.trim());
const available = () => listApps(testBox.box).map((one) => one.available_version);

test('the owner’s own apps hide those of the stores, which hide each other in their order and the bundled ones', () => {
  testBox.own('a', app('1'));
  testBox.bundle('a', app('4'));
  testBox.bundle('b', app('4'));
  testBox.bundle('c', app('4'));
  assert.deepEqual(offered(), ['a 1', 'b 4', 'c 4']);
  const one = { a: app('2', 'one'), b: app('2', 'one') };
  const two = { b: app('3', 'two'), c: app('3', 'two') };
  testBox.stores({ one, two });
  assert.deepEqual(offered(), ['a 1', 'b 2 one', 'c 3 two']);
  testBox.stores({ two, one });
  assert.deepEqual(offered(), ['a 1', 'b 3 two', 'c 3 two']);
});

test('without a readable list of stores there are none, and one warning says so', () => {
  const file = join(testBox.directories.state, 'stores.json');
  testBox.bundle('a');
  testBox.stores({ one: { b: app('1', 'one') } });
  assert.deepEqual(offered(), ['a 1.0.0', 'b 1 one']);
  for (const damage of [() => writeFileSync(file, '{'), () => rmSync(file), () => mkdirSync(file)]) {
    damage();
    for (let count = 0; count < 3; count += 1) assert.deepEqual(offered(), ['a 1.0.0']);
  }
  assert.equal(testBox.warnings.length, 1);
  assert.match(testBox.warnings[0] ?? '', /stores\.json is not a list of stores/);
});

test('an installed app has newer versions and files only from its own store, also if another place hides it', async () => {
  testBox.stores({ one: { a: app('1', 'one') } });
  await installApp(testBox.box, { name: 'a', settings: {} });
  testBox.own('a', app('9'));
  assert.deepEqual(available(), [null]);
  testBox.stores({ two: { a: app('8', 'two') }, one: { a: app('2', 'one') } });
  assert.deepEqual(available(), ['2']);
  assert.deepEqual(
    (await lookForNewer(testBox.box)).apps.a?.map(({ to }) => to),
    ['2'],
  );
  const installed = testBox.box.apps.one('installed', 'a');
  assert.equal(installed && (await newerFiles(testBox.box, installed))?.to.version, '2');
  await installApp(testBox.box, { name: 'a', settings: {} });
  assert.match(testBox.file('a/manifest.json'), /"version":"2","store":"one"/);

  testBox.installed('own', app('1'));
  testBox.stores({ one: { a: app('3', 'one'), own: app('2', 'one') } });
  assert.deepEqual(available(), ['3', null]);
});

test('an app that its store has no more stays as it is, and the room of updates says so', async () => {
  testBox.stores({ one: { a: app('1', 'one') } });
  await installApp(testBox.box, { name: 'a', settings: {} });
  const notes = async () => JSON.stringify(await updatesRoom(testBox.box).read('')).includes('a runs on without newer');
  assert.equal(await notes(), false);
  testBox.own('a', app('9'));
  testBox.stores({});
  assert.equal(await notes(), true);
  await installApp(testBox.box, { name: 'a', settings: {} });
  assert.match(testBox.file('a/manifest.json'), /"version":"1","store":"one"/);
});

test('an installed app with a broken manifest is not repaired with the app of a store', async () => {
  testBox.stores({ one: { a: app('1', 'one') } });
  testBox.installed('a', { 'manifest.json': '{' });
  await assert.rejects(installApp(testBox.box, { name: 'a', settings: {} }), /its manifest cannot be read: .*; mend /);
  assert.equal(testBox.file('a/manifest.json'), '{');
});

test('two apps that want the same ports are installed as their forms offer, and each is opened at its own', async () => {
  const number = (name: string, preset: string) => ({ name, type: 'number', default: preset });
  const settings = [number('APP_PORT', '8080'), number('PORT_22', '2222')];
  const files = {
    'manifest.json': JSON.stringify({ name: 'x', version: '1', ports: [8080], settings, store: 'one' }),
    'compose.yaml':
      'services:\n  web:\n    image: web:1\n    ports: ["${APP_PORT:-8080}:80", "${PORT_22:-2222}:22"]\n    restart: always\n',
    '.env.example': 'APP_PORT=8080\nPORT_22=2222\n',
  };
  testBox.stores({ one: { a: files, b: files } });
  const form = async (name: string) =>
    Object.fromEntries(
      (await getAppSettings(testBox.box, name)).settings.map((one) => [one.name, one.free_port ?? one.value]),
    );
  assert.deepEqual(await form('a'), { APP_PORT: '8080', PORT_22: '2222' });
  await installApp(testBox.box, { name: 'a', settings: await form('a') });
  testBox.sockets.push({ protocol: 'tcp', address: '', from: 8081, to: 8081, inode: '1', isThisBox: false });
  assert.deepEqual(await form('b'), { APP_PORT: '8082', PORT_22: '2223' });
  await installApp(testBox.box, { name: 'b', settings: await form('b') });
  assert.deepEqual(await form('b'), { APP_PORT: '8082', PORT_22: '2223' });
  const [running] = testBox.containers.containers.filter(({ project }) => project === 'b');
  assert.ok(running);
  const published = (hostPort: number, containerPort: number) => ({
    ...{ address: '', protocol: 'tcp', hostPort, containerPort },
  });
  running.published = [published(2223, 22), published(8082, 80)];
  await testBox.box.observer.look();
  assert.deepEqual(listApps(testBox.box)[1]?.open_ports, [{ port: 8082, label: '' }]);
});

test('an app of a store is upgraded, set back, and restored beside itself like any other', async () => {
  const { box, repository, containers } = testBox;
  const files = (version: string, image: string) => ({
    ...app(version, 'one'),
    'compose.yaml': `services:\n  web:\n    image: ${image}\n    ports: ["\${APP_PORT:-8080}:80"]\n    restart: always\n`,
    '.env.example': 'APP_PORT=8080\n',
  });
  repository.isInstalled = true;
  testBox.stores({ one: { a: files('3.0.5-r134.1', 'web:1') } });
  await installApp(box, { name: 'a', settings: {} });
  for (const [version, image] of [
    ['3.0.5-r134.2', 'web:1'],
    ['3.1-r135.2', 'web:2'],
  ] as const) {
    testBox.stores({ one: { a: files(version, image) } });
    const { upgrade } = await updateApp(box, 'a');
    assert.equal(upgrade?.to_version, version);
  }
  assert.deepEqual(
    containers.containers.map(({ image }) => image),
    ['web:2'],
  );

  await updateAppSettings(box, { name: 'a', settings: { APP_PORT: '9090' } });
  await undoAppSettings(box, 'a');
  assert.equal(testBox.file('a/.env'), 'APP_PORT=8080\n');

  await makeBackup(box, 'a', 'manual');
  testBox.sockets.push({ protocol: 'tcp', address: '', from: 8080, to: 8080, inode: '1', isThisBox: false });
  const beside = await restoreBeside(box, 'a', '', 'b');
  assert.equal(beside.status, 0, beside.text);
  testBox.stores({ one: { a: files('3.2-r136.2', 'web:3') } });
  assert.deepEqual(available(), ['3.2-r136.2', '3.2-r136.2']);
  testBox.stores({ two: { a: app('9', 'two') } });
  assert.deepEqual(available(), [null, null]);
});
