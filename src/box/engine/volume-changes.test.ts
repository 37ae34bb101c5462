import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { updateApp } from '../apps/update-app.ts';
import { keptVolumesFile } from '../backup/rules/kept-volumes.ts';
import { useTestBox } from '../testing/test-box.ts';
import { reconcile } from './reconcile.ts';

const testBox = useTestBox();
const folder = (device: string) => `{ driver_opts: { type: none, o: bind, device: ${device} } }`;
const app = (films: string, version = '1', image = 'web:1') => ({
  'manifest.json': JSON.stringify({ name: 'a', version }),
  'compose.yaml': `services:\n  web: { image: "${image}", restart: always }\nvolumes:\n  films: ${films}\n`,
});
const made = () => testBox.containers.volumesMade.get('a_films');

async function change(from: string, to: string) {
  testBox.installed('a', app(from));
  await reconcile(testBox.box, 'a');
  testBox.installed('a', app(to));
  return reconcile(testBox.box, 'a');
}
const warnings = (actions: { kind: string; detail: string }[]) =>
  actions.flatMap(({ kind, detail }) => (kind === 'warn' ? [detail] : []));

for (const [from, to, device] of [
  [folder('/one'), folder('/two'), '/two'],
  [folder('/one'), '{}', undefined],
] as const) {
  test(`a volume of ${from} is made anew as ${to}, because no data is lost`, async () => {
    const actions = await change(from, to);
    assert.deepEqual([warnings(actions), made()?.device], [[], device]);
    assert.ok(testBox.containers.containers.every(({ state }) => state === 'running'));
    assert.deepEqual(
      (await reconcile(testBox.box, 'a')).map(({ detail }) => detail),
      ['in line'],
    );
  });
}

test('a volume without a name beside one that is made anew is noted for the next container', async () => {
  const mount = { type: 'volume', name: 'f00', source: '', target: '/data', isWritable: true };
  testBox.containers.mounts.set('a-web-1', [mount]);
  testBox.volumes.add('a', 'f00', { name: 'f00', labels: {} });
  await change(folder('/one'), folder('/two'));
  const note = JSON.parse(readFileSync(join(testBox.directories.installed, 'a', keptVolumesFile), 'utf8'));
  assert.deepEqual(Object.values(note.volumes), [{ name: 'f00' }]);
});

test('a volume that differs though the files are the same is made anew', async () => {
  await change(folder('/one'), folder('/one'));
  testBox.containers.volumesMade.set('a_films', { type: 'none', o: 'bind', device: '/old' });
  const [action] = await reconcile(testBox.box, 'a');
  assert.deepEqual([action?.kind, made()?.device], ['recreate', '/one']);
  assert.equal(action?.detail, 'recreated: its volume a_films is to lead elsewhere');
});

test('a volume whose data Docker has stays, and every change of the app says the way out', async () => {
  const way = /its data would be lost; .* remove the app, run `docker volume rm a_films`, and install the app$/;
  assert.match(warnings(await change('{}', folder('/one'))).join(), way);
  assert.match(warnings(await reconcile(testBox.box, 'a')).join(), way);
  assert.deepEqual(made(), {});
  testBox.bundle('a', app(folder('/one'), '2', 'web:2'));
  testBox.containers.calls = [];
  await assert.rejects(updateApp(testBox.box, 'a'), { status: 502, message: /^version 2 cannot be used: its volume/ });
  assert.ok(!testBox.containers.calls.some((call) => /^(pull|stop|up)/.test(call)));
});

test('a volume that another container has stays, and the warning names it', async () => {
  testBox.containers.otherUsers = ['0123456789abcdef'];
  const actions = await change(folder('/one'), folder('/two'));
  assert.match(warnings(actions).join(), /because 0123456789ab uses it too; remove that container first$/);
  assert.equal(made()?.device, '/one');
});

for (const to of [folder('/two'), '{}']) {
  test(`a version with a volume of ${to} that does not stay up leaves the old volume`, async () => {
    testBox.installed('a', app(folder('/one')));
    testBox.bundle('a', app(to, '2', 'web:2'));
    await reconcile(testBox.box, 'a');
    testBox.containers.fate.set('sha256:web:2', { state: 'exited', exitCode: 3 });
    await assert.rejects(updateApp(testBox.box, 'a'), /the app runs version 1 again/);
    assert.equal(made()?.device, '/one');
  });
}

test('an engine that says nothing about volumes keeps no app from its start', async () => {
  testBox.containers.fail('volumes', 'unknown command: volume');
  assert.deepEqual(warnings(await change(folder('/one'), folder('/two'))), []);
});
