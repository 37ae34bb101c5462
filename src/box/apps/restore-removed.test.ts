// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { actByCommand } from '../../console/rooms.ts';
import { useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { removeApp } from './remove.ts';
import { restoreApp } from './restore-removed.ts';
import { updateAppSettings } from './settings.ts';

const testBox = useTestBox();

const change = (settings: Record<string, unknown>, name = 'notes') =>
  updateAppSettings(testBox.box, { name, settings });
const undo = (name = 'notes') => actByCommand(testBox.box, { act: 'apps/undo', fields: { app: name } });
const path = (file: string) => join(testBox.directories.installed, file);

describe('choice/box/289: settings undo', () => {
  test('swaps the .env for the previous one, twice restores it, and reconciles the app', async () => {
    testBox.installed('notes', { '.env': '# mine\nTITLE=a\nPW=hunter2hunter2\n' });
    await change({});
    await change({ TITLE: 'b', NEW: 'c', PW: 'other4other4' });
    const changed = testBox.file('notes/.env');
    const { id } = testBox.containers.containers[0] ?? {};
    assert.deepEqual(await undo(), {
      status: 0,
      text: 'notes has its previous settings again (changed TITLE, PW; removed NEW) and runs\nnotes/web: recreated: its Compose file or .env changed',
    });
    assert.equal(testBox.file('notes/.env'), '# mine\nTITLE=a\nPW=hunter2hunter2\n');
    assert.equal(testBox.file('notes/.env.bak'), changed);
    assert.notEqual(testBox.containers.containers[0]?.id, id);
    for (const file of ['notes/.env', 'notes/.env.bak']) assert.equal(statSync(path(file)).mode & 0o777, 0o600);
    assert.match((await undo()).text, /\(changed TITLE, PW; added NEW\) and runs/);
    assert.equal(testBox.file('notes/.env'), changed);
  });

  test('restores a .env that is gone, and reports a change that no key shows', async () => {
    testBox.installed('notes', { '.env': 'A=1\n', '.env.bak': '# mine\nA=1\n' });
    assert.match((await undo()).text, /^notes has its previous settings again \(no value changed\) and runs\n/);
    rmSync(path('notes/.env'));
    assert.match((await undo()).text, /\(added A\) and runs/);
    assert.equal(testBox.file('notes/.env'), 'A=1\n');
    assert.equal(testBox.file('notes/.env.bak'), 'A=1\n');
  });

  test('takes back the first settings of an app that had none', async () => {
    testBox.bundle('notes');
    await installApp(testBox.box, { name: 'notes', settings: {} });
    await change({ TITLE: 'b' });
    assert.match((await undo()).text, /^notes has its previous settings again \(removed TITLE\) and runs\n/);
    assert.equal(testBox.file('notes/.env'), '');
    assert.match((await undo()).text, /\(added TITLE\) and runs/);
    testBox.bundle('later');
    await installApp(testBox.box, { name: 'later', settings: {} });
    testBox.bundle('later', { '.env.example': 'NEW=1\n' });
    await installApp(testBox.box, { name: 'later', settings: {} });
    assert.match((await undo('later')).text, /\(removed NEW\) and runs/);
  });

  test('says that there is nothing to undo, and changes nothing', async () => {
    testBox.installed('notes', { '.env': 'A=1\n' });
    const nothing = { status: 1, text: 'there is nothing to undo: no other .env of notes is kept' };
    assert.deepEqual(await undo(), nothing);
    writeFileSync(path('notes/.env.bak'), 'A=1\n');
    assert.deepEqual(await undo(), nothing);
    assert.deepEqual(testBox.containers.containers, []);
  });

  test('says in one sentence that the app does not run with the restored settings', async () => {
    testBox.installed('notes', { '.env': 'A=1\n', '.env.bak': 'A=2\n' });
    testBox.containers.fail('up', 'the port is taken');
    assert.deepEqual(await undo(), {
      status: 1,
      text: 'notes has its previous settings again (changed A), but it does not run: the port is taken',
    });
  });

  test('is refused for a port in use, a missing app and a file that is not text', async () => {
    const compose = 'services: { web: { image: "registry/web:1", ports: ["${PORT}:80"] } }';
    testBox.installed('notes', { 'compose.yaml': compose, '.env': 'PORT=81\n', '.env.bak': 'PORT=80\n' });
    testBox.sockets.push({ protocol: 'tcp', address: '', from: 80, to: 80, inode: '1', isThisBox: false });
    await assert.rejects(undo(), { refusal: 'portHeld' });
    writeFileSync(path('notes/.env.bak'), Buffer.from('A=caf\xe9\n', 'latin1'));
    await assert.rejects(undo(), { refusal: 'brokenEnv', message: /notes\/\.env\.bak is not UTF-8 text$/ });
    assert.equal(testBox.file('notes/.env'), 'PORT=81\n');
    await assert.rejects(undo('absent'), { refusal: 'appNotInstalled' });
    testBox.installed('torn', { 'manifest.json': '{}' });
    await assert.rejects(undo('torn'), { refusal: 'brokenManifest' });
  });
});

describe('choice/box/116: trash restore', () => {
  test('starts the app', async () => {
    testBox.installed('notes');
    await change({});
    await removeApp(testBox.box, 'notes');
    assert.equal(testBox.containers.containers.length, 0);
    assert.deepEqual(await restoreApp(testBox.box, 'notes'), {
      status: 0,
      text: 'notes is back and runs\nnotes/web: created: not brought up before',
    });
    assert.equal(testBox.containers.containers[0]?.state, 'running');
  });

  test('says why the app does not run, and still restores it', async () => {
    testBox.installed('notes', { '.env': 'API_TOKEN=changeme\n' });
    await removeApp(testBox.box, 'notes');
    assert.deepEqual(await restoreApp(testBox.box, 'notes'), {
      status: 1,
      text: 'notes is back, but it does not run: its .env still has placeholder values: API_TOKEN',
    });
    assert.equal(testBox.file('notes/.env'), 'API_TOKEN=changeme\n');
    assert.deepEqual(await restoreApp(testBox.box, 'notes'), {
      status: 1,
      text: 'no removed app of the name "notes" is kept',
    });
  });
});
