import assert from 'node:assert/strict';
import {
  appendFileSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { treeOf, useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { getAppSettings, undoAppSettings } from './settings.ts';
import { updateApp } from './update-app.ts';

const testBox = useTestBox();

const install = (name: string, settings: Record<string, unknown> = {}) => installApp(testBox.box, { name, settings });
const kinds = (actions: { kind: string; target: string }[]) => actions.map(({ kind, target }) => `${kind} ${target}`);
/** A file of just over 64 MiB that ends with a text. */
function writeLarge(path: string, end: string): void {
  writeFileSync(path, '');
  truncateSync(path, 64 * 1024 * 1024);
  appendFileSync(path, end);
}
const endOf = (path: string) => readFileSync(path).subarray(-3).toString();
const app = (name: string) => treeOf(testBox.directories.installed, name);

test("choice/box/300: installs the owner's own app before a bundled one of its name, also in place", async () => {
  testBox.bundle('notes', { 'a.conf': 'bundled' });
  testBox.own('notes', { 'a.conf': 'own', '.env.example': 'PORT=1\n' });
  await install('notes');
  assert.deepEqual([testBox.file('notes/a.conf'), testBox.file('notes/.env')], ['own', 'PORT=1\n']);
  testBox.own('notes', { 'a.conf': 'own again' });
  await install('notes');
  assert.equal(testBox.file('notes/a.conf'), 'own again');
});

describe('a first install', () => {
  test('copies the app, makes its .env, brings it up and returns the path (choice/box/75)', async () => {
    testBox.bundle('notes', { '.env.example': '# port\nPORT=80\n', 'conf/a.conf': 'a', 'run.sh': '#!/bin/sh\n' });
    const { path, actions } = await install('notes', { PORT: 8080 });
    assert.equal(path, join(testBox.directories.installed, 'notes'));
    assert.deepEqual(kinds(actions), ['copy notes', 'write_env notes', 'create notes/web']);
    assert.equal(testBox.file('notes/.env'), '# port\nPORT=8080\n');
    assert.deepEqual(app('notes'), [
      'notes/.env',
      'notes/.env.example',
      'notes/compose.yaml',
      'notes/conf/',
      'notes/conf/a.conf',
      'notes/manifest.json',
      'notes/run.sh',
    ]);
    const mode = (file: string) => (lstatSync(join(path, file)).mode & 0o777).toString(8);
    assert.deepEqual([mode('.env'), mode('run.sh')], ['600', '755']);
  });

  test('installs an app of any name, also in place, and records its files (choice/box/28)', async () => {
    const longest = 'ü'.repeat(127);
    for (const name of ['My_App', 'Grüße 1', 'a.b', '日本', longest, 'x.journal.json']) {
      testBox.bundle(name, { 'conf/a.conf': 'a' });
      assert.deepEqual(kinds((await install(name)).actions).slice(0, 2), [`copy ${name}`, `create ${name}/web`]);
      writeFileSync(join(testBox.directories.installed, name, 'conf/a.conf'), 'edited');
      const again = (await install(name, { PORT: 1 })).actions.filter(({ target }) => target === name);
      assert.deepEqual(kinds(again), [`refresh ${name}`, `keep ${name}`, `write_env ${name}`]);
    }
    const projects = new Set(testBox.containers.containers.map(({ project }) => project));
    assert.ok(projects.has('my_app') && projects.has('gre1') && projects.has('app-65e5-672c'), [...projects].join());
  });

  test('is refused if an installed app has the same project, and copies nothing (choice/box/100)', async () => {
    const shared = { 'compose.yaml': `name: "\${P:-notes}"\nservices: { web: { image: "web:1" } }\n` };
    testBox.installed('notes');
    testBox.installed('broken', { 'compose.yaml': 'services: [' });
    symlinkSync(join(testBox.directories.installed, 'notes'), join(testBox.directories.installed, 'link'));
    testBox.bundle('Notes');
    testBox.bundle('by-name', { ...shared, '.env.example': 'P=notes\n' });
    testBox.bundle('plain', { 'compose.yaml': '' });
    const before = testBox.tree();
    await assert.rejects(install('Notes'), {
      refusal: 'projectTaken',
      message: 'the app Notes would have the same Compose project as the app notes; remove notes first',
    });
    await assert.rejects(install('by-name'), { refusal: 'projectTaken' });
    assert.deepEqual(testBox.tree(), before);
    await install('by-name', { P: 'other' });
    await install('plain');
    testBox.installed('Notes');
    const actions = (await install('Notes')).actions.filter(({ kind }) => kind === 'error');
    assert.deepEqual(kinds(actions), ['error Notes', 'error broken']);
  });

  test('never copies a .env of the bundle, nor follows a link in it (choice/box/69)', async () => {
    const folder = testBox.bundle('notes', { '.env': 'PORT=1\n' });
    symlinkSync('/etc/passwd', join(folder, 'users'));
    const { actions } = await install('notes');
    assert.deepEqual(app('notes'), ['notes/compose.yaml', 'notes/manifest.json']);
    assert.deepEqual(
      actions.filter(({ kind }) => kind === 'warn').map(({ detail }) => detail),
      [
        'its own .env is not used, because every box would have its secrets; put its lines into .env.example',
        'users was left out: it is not a regular file',
      ],
    );
  });

  test('refuses a directory that is a link, and leaves it', async () => {
    testBox.bundle('notes');
    symlinkSync('/tmp', join(testBox.directories.installed, 'notes'));
    await assert.rejects(install('notes'), { refusal: 'linkInPlace', status: 400 });
    assert.ok(lstatSync(join(testBox.directories.installed, 'notes')).isSymbolicLink());
  });
});

test('makes secrets once, which no answer, no entry of the journal and no warning has', async () => {
  const generate = { length: 40, encoding: 'hex' };
  const manifest = (version: string, ...names: string[]) =>
    JSON.stringify({ name: 'notes', version, settings: names.map((name) => ({ name, type: 'password', generate })) });
  const example = `KEY=change-me\nURL=db:\${KEY}\nPORT=1\n`;
  testBox.bundle('notes', { 'manifest.json': manifest('1', 'KEY', 'SALT'), '.env.example': example });
  testBox.bundle('other', { 'manifest.json': manifest('1', 'KEY') });
  const answers: unknown[] = [await install('notes', { SALT: '' }), await install('other')];
  const first = testBox.file('notes/.env');
  assert.match(first, /^KEY=[\da-f]{40}\nURL=db:\$\{KEY\}\nPORT=1\nSALT=[\da-f]{40}\n$/);
  answers.push(await install('notes'));
  assert.equal(testBox.file('notes/.env'), first);
  const newer = { 'manifest.json': manifest('2', 'KEY', 'SALT', 'MORE'), '.env.example': `${example}MORE=change-me\n` };
  testBox.bundle('notes', newer);
  answers.push(await updateApp(testBox.box, 'notes'));
  const last = testBox.file('notes/.env');
  assert.match(last.replace(first, ''), /^MORE=[\da-f]{40}\n$/);
  await undoAppSettings(testBox.box, 'notes');
  const kept = /MORE=.*/.exec(last)?.[0] ?? '?';
  assert.ok(testBox.file('notes/.env').includes(kept), 'an undo keeps a secret that was made since then');
  const secrets = `${last}${testBox.file('other/.env')}`.match(/[\da-f]{40}/g) ?? [];
  assert.equal(new Set(secrets).size, 4);
  const view = await getAppSettings(testBox.box, 'notes');
  const said = JSON.stringify([answers, view, testBox.changes, testBox.warnings, testBox.faults]);
  assert.deepEqual(
    secrets.filter((secret) => said.includes(secret)),
    [],
  );
});

describe('an install in place', () => {
  const again = async (name: string) => kinds((await install(name)).actions);

  test('of an unchanged app changes nothing', async () => {
    testBox.bundle('notes', { '.env.example': 'PORT=80\n' });
    await install('notes');
    const before = testBox.tree();
    assert.deepEqual(await again('notes'), ['noop notes']);
    assert.deepEqual(testBox.tree(), before);
  });

  test('keeps a bundled file that the owner edited, and says so (choice/box/69)', async () => {
    testBox.bundle('notes', { 'a.conf': '1', 'b.conf': '1' });
    await install('notes');
    testBox.installed('notes', { 'a.conf': 'mine', 'b.conf': '1' });
    testBox.bundle('notes', { 'a.conf': '2', 'b.conf': '2' });
    const { actions } = await install('notes');
    const [keep] = actions.filter(({ kind }) => kind === 'keep');
    assert.equal(keep?.detail, 'a.conf was edited here and is kept as a.conf.kept');
    assert.equal(testBox.file('notes/a.conf'), '2');
    assert.equal(testBox.file('notes/a.conf.kept'), 'mine');
    assert.ok(!app('notes').includes('notes/b.conf.kept'));
  });

  test('compares files of more than 64 MiB by content, not by time', async () => {
    const bundled = join(testBox.bundle('notes'), 'model.bin');
    const installed = join(testBox.directories.installed, 'notes/model.bin');
    writeLarge(bundled, 'one');
    utimesSync(bundled, 1, 1);
    await install('notes');
    utimesSync(installed, 2, 2);
    assert.deepEqual(await again('notes'), ['noop notes']);
    writeLarge(bundled, 'two');
    utimesSync(bundled, 2, 2);
    assert.deepEqual((await again('notes'))[0], 'refresh notes');
    assert.equal(endOf(installed), 'two');
    assert.ok(!app('notes').includes('notes/model.bin.kept'));
  });

  test('leaves a file in place of which the bundle has a link, and says so (choice/box/174)', async () => {
    const file = join(testBox.bundle('notes', { users: 'a' }), 'users');
    await install('notes');
    rmSync(file);
    symlinkSync('/etc/passwd', file);
    for (let count = 0; count < 2; count += 1) {
      assert.deepEqual((await install('notes')).actions.map(({ detail }) => detail).slice(0, 1), [
        'users was left out: it is not a regular file',
      ]);
      assert.equal(testBox.file('notes/users'), 'a');
    }
  });

  test('does not write through a link or over a directory', async () => {
    testBox.bundle('notes', { 'conf/a': '1', b: '1' });
    await install('notes');
    const installed = join(testBox.directories.installed, 'notes');
    rmSync(join(installed, 'conf'), { recursive: true });
    symlinkSync(testBox.directories.state, join(installed, 'conf'));
    rmSync(join(installed, 'b'));
    testBox.installed('notes', { 'b/inside': 'x' });
    testBox.bundle('notes', { 'conf/a': '2', b: '2' });
    const warnings = (await install('notes')).actions.filter(({ kind }) => kind === 'warn');
    assert.deepEqual(
      warnings.map(({ detail }) => detail),
      ['b is not a regular file here and was left as it is', 'conf/a is not a regular file here and was left as it is'],
    );
    assert.ok(!testBox.tree().includes('state/a'));
  });

  test('repairs an app that is no longer bundled, without copying (choice/box/60)', async () => {
    testBox.installed('notes', { '.env.example': 'PORT=80\nSIZE=1\n', '.env': 'PORT=81\n' });
    assert.deepEqual(await again('notes'), ['write_env notes', 'create notes/web']);
    assert.equal(testBox.file('notes/.env'), 'PORT=81\nSIZE=1\n');
  });

  test('repairs an app with a broken manifest from the bundle (choice/box/245)', async () => {
    testBox.bundle('notes');
    testBox.installed('notes', { 'manifest.json': '{' });
    assert.deepEqual(await again('notes'), ['refresh notes', 'keep notes', 'create notes/web']);
    assert.equal(testBox.file('notes/manifest.json.kept'), '{');
  });
});
