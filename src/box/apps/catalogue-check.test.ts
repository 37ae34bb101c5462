import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeAppFolders } from '../adapters/files/app-folders.ts';
import { StorageFailed } from '../ports.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeCatalogue } from './catalogue.ts';
import { checkCatalogue } from './catalogue-check.ts';

const testBox = useTestBox();

const directories = () =>
  [testBox.directories.catalogue, testBox.directories.bundled].map((path) => {
    const folders = makeAppFolders({ installed: path, bundled: [] });
    return { path, folders, apps: makeCatalogue(folders, String) };
  });
const check = () => checkCatalogue(directories());

test('passes without a catalogue directory, and if an app hides another one', async () => {
  const { catalogue, bundled } = testBox.directories;
  testBox.bundle('notes', { 'compose.yaml': 'services: { web: { image: "web:$VERSION" } }\n' });
  const end = `in ${catalogue}, ${bundled}: all is well`;
  assert.deepEqual(await check(), { status: 0, text: `1 app ${end}` });
  testBox.own('notes');
  testBox.own('feeds');
  mkdirSync(join(catalogue, '.git'));
  writeFileSync(join(catalogue, 'README.md'), '');
  const hidden = `${join(bundled, 'notes')}: hidden by ${join(catalogue, 'notes')}`;
  assert.deepEqual(await check(), { status: 0, text: `${hidden}\n2 apps ${end}` });
});

test('each fault has a line with path and reason', async () => {
  const { catalogue } = testBox.directories;
  const manifest = JSON.stringify({ name: 'x', version: '1', icon: 'i.svg' });
  testBox.own('a-torn', { 'manifest.json': '{' });
  mkdirSync(join(catalogue, 'b-empty'));
  symlinkSync(testBox.root, join(catalogue, 'c-link'));
  testBox.own('d-icon', { 'manifest.json': manifest, 'i.svg': 'no SVG' });
  testBox.own('e-compose', { 'compose.yaml': '' });
  testBox.own('f-yaml', { 'compose.yaml': '{' });
  testBox.own('g-both', { 'manifest.json': manifest, 'compose.yaml': '' });
  const { status, text } = await check();
  assert.equal(status, 1);
  const lines = text.split('\n');
  const found = lines.map((line) => line.replace(`${catalogue}/`, ''));
  for (const [index, pattern] of [
    /^a-torn: manifest\.json: expected JSON/,
    /^b-empty: manifest\.json: expected a file; found none$/,
    /^c-link: the directory is a link/,
    /^d-icon: i\.svg: not shown/,
    /^e-compose: it has no Compose file \(compose\.yaml\)$/,
    /^f-yaml: its Compose file cannot be read: /,
    /^g-both: i\.svg: not shown/,
    /^g-both: it has no Compose file/,
    /^7 apps in .*: 8 faults$/,
  ].entries()) {
    assert.match(found[index] ?? '', pattern);
  }
  assert.equal(found.length, 9);
});

test('an unreadable directory is a fault', async () => {
  const [first] = directories();
  assert.ok(first);
  first.apps.all = () => {
    throw new StorageFailed('cannot read it: permission denied');
  };
  const { status, text } = await checkCatalogue([first]);
  assert.equal(status, 1);
  assert.match(text, /^.*catalogue: cannot read it: permission denied\n0 apps in .*: 1 fault$/);
});
