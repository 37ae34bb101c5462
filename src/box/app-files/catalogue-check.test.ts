// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeAppFolders } from '../adapters/files/app-folders.ts';
import { StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { checkCatalogue } from './catalogue-check.ts';
import type { AskCompose } from './catalogue-warnings.ts';
import { makeCatalogue } from './read-apps.ts';

const testBox = useTestBox();

const directories = () =>
  [testBox.directories.catalogue, testBox.directories.bundled].map((path) => {
    const folders = makeAppFolders({ installed: path, bundled: () => [] });
    return { path, folders, apps: makeCatalogue(folders, String) };
  });
const check = (ask: AskCompose = async () => null) => checkCatalogue(directories(), ask);

test('passes without a catalogue directory, and if an app hides another one', async () => {
  const { catalogue, bundled } = testBox.directories;
  testBox.bundle('notes', { 'compose.yaml': 'services: { web: { image: "web:1" } }\n' });
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

test('warns of what an author or an owner should know, without a fault', async () => {
  const { catalogue } = testBox.directories;
  testBox.own('a-env', { '.env': 'DB_PASSWORD=x\n', 'compose.yaml': 'services: {web: {image: "x:${DB_PASSWORD}"}}\n' });
  testBox.own('b-set', {
    'manifest.json': JSON.stringify({ name: 'x', version: '1', settings: [{ name: 'A' }] }),
    '.env.example': 'B=1\nCOMPOSE_FILE=other.yaml\n',
    'compose.yaml': 'services: {web: {image: "x:$A$B${C:-1}", labels: ["$PWD", "$COMPOSE_PROJECT_NAME"]}}\n',
  });
  testBox.own('c-root', {
    'compose.yaml': 'services: {web: {image: x, pid: host}}\n',
    '.env.example': 'A_KEY=hunter2\n',
    'compose.override.yaml':
      'services: {web: {volumes: ["/var/run/docker.sock:/s", "/srv/$A_KEY:/x"]}, db: {privileged: true}}\n',
  });
  testBox.own('d-built', { 'compose.yaml': 'services: {web: {build: src, env_file: a.env}}\n', 'a.env': 'A=1\n' });
  const { status, text } = await check();
  const lines = text.split('\n').map((line) => line.replace(`${catalogue}/`, ''));
  assert.equal(status, 0);
  assert.deepEqual(lines.slice(0, -1), [
    'a-env: its own .env is not used, because every box would have its secrets; put its lines into .env.example',
    'a-env: nothing sets DB_PASSWORD, so Compose takes an empty text: add a line to .env.example or a setting',
    'b-set: COMPOSE_FILE in .env.example has no effect: the box uses compose.yaml, its override and .env',
    "c-root: as good as root on the box: web (the machine's processes, /var/run/docker.sock, /srv/•••), db (privileged)",
    'd-built: its Compose file names src/Dockerfile, which is not there: Compose needs it',
  ]);
  assert.match(lines.at(-1) ?? '', /^4 apps in .*: 5 warnings$/);
  testBox.own('e-torn', { 'compose.yaml': 'services: [' });
  assert.match((await check()).text, /: 1 fault, 5 warnings$/);
});

test('a "$" that Compose takes for a variable is told by its place, as it may be a part of a secret', async () => {
  const { catalogue } = testBox.directories;
  testBox.own('a-hash', {
    'compose.yaml': 'services: {web: {image: x, environment: {PASSWORD_HASH: "$2b$12$abcdefgh.Qx1"}}}\n',
    '.env.example': 'ADMIN_HASH=$2b$12$ijklmnop\n',
  });
  const { text } = await check();
  const lines = text.split('\n').map((line) => line.replace(`${catalogue}/`, ''));
  const places = (place: string) => new RegExp(`^a-hash: Compose takes a "\\$" in ${place} for a variable`);
  assert.match(lines[0] ?? '', places('services.web.environment.PASSWORD_HASH'));
  const asked = await check(async () => ({ unset: ['abcdefgh', 'ijklmnop', 'NAMED'], powers: [] }));
  assert.match(asked.text, /a-hash: nothing sets NAMED, so/);
  assert.match(
    asked.text,
    /services\.web\.environment\.PASSWORD_HASH for .*\n.*ADMIN_HASH of \.env\.example for a variable/,
  );
  for (const part of ['abcdefgh', 'ijklmnop']) assert.ok(!`${text} ${asked.text}`.includes(part));
});

test('an app that may write what Compose reads is as good as root, also through a link or a parent', async () => {
  const mounting = (volume: unknown) => JSON.stringify({ services: { web: { image: 'x', volumes: [volume] } } });
  const bind = { type: 'bind', target: '/x' };
  const cases: [name: string, volume: unknown, written: string | null][] = [
    ['all', '.:/app', 'compose.yaml'],
    ['file', './compose.yaml:/c', 'compose.yaml'],
    ['parent', { ...bind, source: 'data/..' }, 'compose.yaml'],
    ['linked', './link:/x', 'compose.yaml'],
    ['env', './.env:/env', '.env'],
    ['included', './sub:/sub', 'sub/a.yaml'],
    ['deep', './deep:/x', 'deep/b.env'],
    ['read-only', '.:/app:ro', null],
    ['data', './data:/data', null],
    ['volume', 'data:/data', null],
  ];
  for (const [name, volume] of cases) {
    const more = { 'sub/a.yaml': 'services: {a: {image: x, env_file: ../deep/b.env}}', 'deep/b.env': '', 'data/x': '' };
    testBox.own(name, { 'compose.yaml': `${mounting(volume)}\n---\ninclude: [sub/a.yaml]\n`, ...more });
    symlinkSync('.', join(testBox.directories.catalogue, name, 'link'));
  }
  const { text } = await check();
  for (const [name, , written] of cases) {
    const found = new RegExp(`/${name}: as good as root on the box: web \\((.*)\\)$`, 'm').exec(text)?.[1] ?? null;
    assert.equal(found, written === null ? null : `may write its own ${written}`, name);
  }
});

test('an unreadable directory is a fault', async () => {
  const [first] = directories();
  assert.ok(first);
  first.apps.all = () => {
    throw new StorageFailed('cannot read it: permission denied');
  };
  const { status, text } = await checkCatalogue([first], async () => null);
  assert.equal(status, 1);
  assert.match(text, /^.*catalogue: cannot read it: permission denied\n0 apps in .*: 1 fault$/);
});
