import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { test } from 'node:test';
import { ContainersFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { unshownOwnText } from '../rules/text/mask-secrets.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeCatalogue } from './read-apps.ts';
import { makeMask } from './secrets.ts';

const testBox = useTestBox();

const project = (name: string) => ({
  project: name,
  directory: testBox.box.folders.path(name),
  files: [],
  envFile: null,
});

test("a weak secret is masked in its app's own texts only", async () => {
  testBox.installed('a', { '.env': 'DB_PASSWORD=port\nPIN_KEY=abc\n' });
  testBox.installed('b', { '.env': 'DB_PASSWORD=hunter2\n' });
  const text = 'port abc: hunter2';
  const mask = makeMask(testBox.box);
  assert.equal(mask(text, 'a'), '••• •••: •••');
  assert.equal(mask(text, 'b'), 'port abc: •••');
  assert.equal(mask(text, null), 'port abc: •••');
  assert.equal(mask(text), '••• •••: •••');
  testBox.containers.failing.set('up', new ContainersFailed(text, false));
  testBox.containers.failing.set('observe', new ContainersFailed(text, false));
  const message = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);
  assert.equal(await message(testBox.box.containers.up(project('a'))), '••• •••: •••');
  assert.equal(await message(testBox.box.containers.up(project('b'))), 'port abc: •••');
  assert.equal(await message(testBox.box.containers.observe()), 'port abc: •••');
  testBox.containers.failing.delete('observe');
  const details = (await reconcile(testBox.box, null)).map(({ target, detail }) => `${target}: ${detail}`);
  assert.deepEqual(details, ['a: ••• •••: •••', 'b: port abc: •••']);
});

test('masks the secrets of a .env that is only planned', async () => {
  testBox.installed('a', { '.env': 'HATCH=old-kraken\n' });
  const settings = [{ name: 'HATCH', type: 'password' }];
  const manifest = JSON.stringify({ name: 'a', version: '1', settings });
  const directory = testBox.bundle('new', {
    'manifest.json': manifest,
    '.env': 'HATCH=kraken\nB_KEY=hunter2\nC=shown\n',
  });
  testBox.containers.failing.set('up', new ContainersFailed('near kraken, hunter2, shown', false));
  const up = (more: object) => testBox.box.containers.up({ ...project('a'), ...more });
  await assert.rejects(up({ directory, envFile: `${directory}/.env` }), { message: 'near •••, •••, shown' });
  await assert.rejects(up({ envFile: `${directory}/.env` }), { message: 'near kraken, •••, shown' });
  await assert.rejects(up({ directory, envFile: `${directory}/absent` }), { message: 'near kraken, hunter2, shown' });
});

test('an app with too many secrets hides its own texts only', () => {
  testBox.installed('a', { '.env': `PASSWORD="${'line\n'.repeat(200_000)}"\n` });
  testBox.installed('b', {
    '.env': `${'KEY_%=s%\n'.repeat(2000).replaceAll('%', () => String(Math.random()).slice(2))}`,
  });
  testBox.installed('c');
  const mask = makeMask(testBox.box);
  assert.deepEqual(
    ['a', 'b', 'c'].map((app) => mask('no such file', app)),
    [unshownOwnText, unshownOwnText, 'no such file'],
  );
});

test('reads the secrets of an app once until its .env or its manifest changes', (context) => {
  const at = Date.now() + 60_000;
  const later = () => at;
  testBox.box.apps = makeCatalogue(testBox.box.folders, String, later);
  context.mock.method(Date, 'now', later);
  testBox.installed('a', { '.env': 'A_KEY=hunter2\nHATCH=kraken\n' });
  const { folders } = testBox.box;
  const viewEnv = context.mock.method(folders, 'viewEnv');
  const shown = () => makeMask(testBox.box)('hunter2 hunter3 kraken', 'a');
  for (let list = 0; list < 3; list += 1) assert.equal(shown(), '••• hunter3 kraken');
  assert.equal(viewEnv.mock.callCount(), 1);
  testBox.installed('a', { '.env': 'A_KEY=hunter3\nHATCH=kraken\n' });
  utimesSync(`${folders.path('a')}/.env`, new Date(0), new Date(0));
  assert.equal(shown(), 'hunter2 ••• kraken');
  const manifest = { name: 'a', version: '1', settings: [{ name: 'HATCH', type: 'password' }] };
  testBox.installed('a', { 'manifest.json': JSON.stringify(manifest) });
  assert.equal(shown(), 'hunter2 ••• •••');
});

test('masks what a secret refers to in the environment of Compose', () => {
  testBox.installed('a', { '.env': `A_KEY=$PWD/key\n` });
  assert.equal(makeMask(testBox.box)(`at ${testBox.box.folders.path('a')}/key`, 'a'), 'at •••');
});
