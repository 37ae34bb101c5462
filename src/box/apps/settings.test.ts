// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { getAppSettings, updateAppSettings } from './settings.ts';

const testBox = useTestBox();

const manifest = JSON.stringify({
  name: 'notes',
  version: '1',
  settings: [{ name: 'PORT', type: 'number', default: '80' }, { name: 'TITLE' }, { name: 'PW', type: 'password' }],
});
const update = (settings: Record<string, unknown>, name = 'notes') =>
  updateAppSettings(testBox.box, { name, settings });
const values = async (name = 'notes') =>
  Object.fromEntries((await getAppSettings(testBox.box, name)).settings.map((entry) => [entry.name, entry.value]));

describe('the settings view', () => {
  test('has what Compose fills in for variables of its environment, and a save keeps their line', async () => {
    const folder = join(testBox.directories.installed, 'notes');
    for (const make of [testBox.installed, testBox.bundle]) {
      make('notes', { 'manifest.json': manifest, '.env': 'TITLE=${PWD}/a\n', '.env.example': 'TITLE=${PWD}/a\n' });
      assert.deepEqual(await values(), { PORT: '80', TITLE: `${folder}/a`, PW: '' });
    }
    await update({ ...(await values()), PORT: '81' });
    assert.equal(testBox.file('notes/.env'), 'TITLE=${PWD}/a\nPORT=81\nPW=\n');
  });

  test('is not found for a missing or impossible name, a broken manifest or a link', async () => {
    testBox.bundle('notes', { 'manifest.json': manifest });
    testBox.installed('notes', { 'manifest.json': '[]' });
    symlinkSync(testBox.directories.state, join(testBox.directories.installed, 'link'));
    for (const name of ['absent', '..', '.', '%2e%2e', 'Notes', 'a'.repeat(300), 'a\0b']) {
      await assert.rejects(getAppSettings(testBox.box, name), { refusal: 'appNotFound' }, name);
    }
    await assert.rejects(getAppSettings(testBox.box, 'link'), { refusal: 'appIsLink', status: 404 });
    const file = join(testBox.directories.installed, 'notes/manifest.json');
    await assert.rejects(getAppSettings(testBox.box, 'notes'), {
      status: 404,
      message: `the app notes is installed, but its manifest cannot be read: manifest.json: expected an object, found an array; mend ${file}`,
    });
  });
});

test('shows as much as possible of an .env in another encoding, and does not write it', async () => {
  testBox.installed('notes', { 'manifest.json': manifest });
  const file = join(testBox.directories.installed, 'notes/.env');
  writeFileSync(file, Buffer.from('TITLE=caf\xe9\n', 'latin1'));
  assert.equal((await values()).TITLE, 'caf\ufffd');
  await assert.rejects(update({ PORT: 1 }), { refusal: 'brokenEnv', message: /notes\/\.env is not UTF-8 text$/ });
  rmSync(file);
  mkdirSync(file);
  assert.equal((await values()).TITLE, '');
  await assert.rejects(update({ PORT: 1 }), { refusal: 'brokenEnv', message: /notes\/\.env is not a regular file$/ });
});

describe('a settings update', () => {
  test('warns of a key in .env that would choose other Compose files', async () => {
    testBox.bundle('notes', { 'manifest.json': manifest, '.env.example': 'COMPOSE_FILE=other.yaml\n' });
    const { actions } = await installApp(testBox.box, { name: 'notes', settings: {} });
    for (const done of [actions, await update({ TITLE: 'a' }), await update({})]) {
      const warnings = done.filter(({ kind }) => kind === 'warn').map(({ target, detail }) => `${target}: ${detail}`);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /^notes: COMPOSE_FILE in \.env has no effect: /);
    }
  });

  test('without effect writes no file and recreates no container', async () => {
    testBox.installed('notes', { 'manifest.json': manifest, '.env': 'TITLE=a\n' });
    await update({});
    const before = testBox.tree();
    const written = () => statSync(join(testBox.directories.state, 'reconciled.json')).ino;
    const ino = written();
    testBox.containers.calls = [];
    assert.deepEqual(
      (await update({ TITLE: 'a' })).map(({ kind }) => kind),
      ['noop'],
    );
    assert.deepEqual(testBox.tree(), before);
    assert.equal(written(), ino);
    assert.deepEqual(testBox.containers.calls, ['observe']);
  });

  test('never writes an .env that could not be read again', async () => {
    testBox.installed('notes', { 'manifest.json': manifest, '.env': 'TITLE=a\n' });
    await assert.rejects(update({ TITLE: '$'.repeat(600_000) }), { refusal: 'invalidValues' });
    assert.equal(testBox.file('notes/.env'), 'TITLE=a\n');
  });

  test('is refused before anything is written', async () => {
    testBox.installed('notes', { 'manifest.json': manifest, '.env': 'PW=changeme\n' });
    testBox.installed('broken', { 'manifest.json': '{}' });
    symlinkSync(testBox.directories.state, join(testBox.directories.installed, 'link'));
    testBox.bundle('bundled');
    const before = testBox.tree();
    await assert.rejects(update({ PORT: 'x' }), { refusal: 'invalidValues' });
    await assert.rejects(update({ '1': 'x' }), { refusal: 'invalidValues' });
    const submitted = { TITLE: 'changeme', PW: 'changeme', API_KEY: 'todo' };
    await assert.rejects(update(submitted), {
      refusal: 'placeholderSubmitted',
      message: 'placeholder values submitted for PW, API_KEY; enter the real ones',
    });
    const file = join(testBox.directories.installed, 'broken/manifest.json');
    await assert.rejects(update({}, 'broken'), {
      status: 400,
      message: `the app broken is installed, but its manifest cannot be read: manifest.json: name: expected a value, found nothing; mend ${file}`,
    });
    await assert.rejects(update({}, 'link'), { refusal: 'appIsLink', status: 404 });
    for (const name of ['bundled', 'absent', '..', 'UPPER']) {
      await assert.rejects(update({}, name), { refusal: 'appNotInstalled' }, name);
    }
    assert.deepEqual(testBox.tree(), before);
    assert.equal(testBox.file('notes/.env'), 'PW=changeme\n');
  });

  test('with a placeholder in another key is written, and is an error of that app (choice/box/96)', async () => {
    testBox.installed('notes', { 'manifest.json': manifest, '.env': 'PW=changeme\nTITLE=a\n' });
    testBox.installed('feeds');
    const shown = (await update({ TITLE: 'b' })).map(({ kind, target }) => `${kind} ${target}`);
    assert.deepEqual(shown, ['write_env notes', 'error notes', 'create feeds/web']);
    assert.equal(testBox.file('notes/.env'), 'PW=changeme\nTITLE=b\n');
    const later = (await update({}, 'feeds')).map(({ kind, target }) => `${kind} ${target}`);
    assert.deepEqual(later, ['noop feeds', 'skip notes']);
  });
});
