import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { titlesOf } from '../app-files/catalogue.ts';
import { listApps } from '../apps/list-apps.ts';
import { updateApp } from '../apps/update-app.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeBackup } from './make-backup.ts';
import { restoreFromBackup } from './restore-app.ts';
import { restoreBeside } from './restore-beside.ts';

const t = useTestBox();
const compose = (port: string) =>
  `services: { web: { image: registry/web:1, restart: always, ports: ["${port}:80"] } }\n`;

async function start(files: Record<string, string>): Promise<void> {
  t.installed('a', { '.env': 'PORT=8080\n', ...files });
  writeFileSync(join(t.volumes.add('a', 'data'), 'rows'), 'one');
  t.repository.isInstalled = true;
  await reconcile(t.box, null);
  await makeBackup(t.box, 'a', 'manual');
  t.sockets.push({ protocol: 'tcp', address: '', from: 8080, to: 8081, inode: '1', isThisBox: false });
}

const leftovers = () => t.tree().filter((path) => /boxgate|restore-|journal/.test(path) && !path.startsWith('repo'));

test('a second app has the data of a backup, and a free port', async () => {
  await start({ 'compose.yaml': compose('$PORT') });
  writeFileSync(join(t.root, 'volumes/a_data/_data/rows'), 'two');
  const { status, text } = await restoreBeside(t.box, 'a', '', 'b');
  equal(status, 0, text);
  match(text, /^b has what a had at .*, version 1\.0\.0; PORT is 8082 here\. It is there and runs/);
  equal(readFileSync(join(t.root, 'volumes/b_data/_data/rows'), 'utf8'), 'one');
  equal(readFileSync(join(t.root, 'volumes/a_data/_data/rows'), 'utf8'), 'two');
  deepEqual([t.file('a/.env'), t.file('b/.env')], ['PORT=8080\n', 'PORT=8082\n']);
  deepEqual(t.containers.containers.map(({ name, state }) => `${name} ${state}`).sort(), [
    'a-web-1 running',
    'b-web-1 running',
  ]);
  deepEqual(leftovers(), []);
});

test('a second app leaves the ports of a stopped one alone', async () => {
  await start({ 'compose.yaml': compose('$PORT') });
  t.sockets.length = 0;
  for (const one of t.containers.containers) one.state = 'exited';
  const { text } = await restoreBeside(t.box, 'a', '', 'b');
  match(text, /; PORT is 8081 here\./);
});

const version = (number: string, more = '') => ({
  'manifest.json': JSON.stringify({ name: 'a', display_name: 'Notes', version: number }),
  'compose.yaml': `services: { web: { image: "registry/web:${number}", restart: always, ports: ["$PORT:80"]${more} } }\n`,
});

test('a second app gets newer versions of the app that it came from, also after its own backup came back', async () => {
  t.bundle('a', version('1.0.0'));
  await start(version('1.0.0'));
  const source = join(t.directories.bundled, 'a');
  const plan = await t.box.installFiles.planRefresh('a', source);
  await t.box.installFiles.refresh('a', { source, plan, env: null });
  await makeBackup(t.box, 'a', 'manual');
  await restoreBeside(t.box, 'a', '', 'b');
  deepEqual([titlesOf(t.box).get('a'), titlesOf(t.box).get('b')], ['Notes (a)', 'Notes (b)']);
  const offered = () => listApps(t.box).map(({ name, available_version: to }) => `${name} ${to}`);
  deepEqual(offered(), ['a null', 'b null']);

  t.bundle('a', version('2.0.0', ', container_name: fixed'));
  deepEqual(offered(), ['a 2.0.0', 'b 2.0.0']);
  await rejects(updateApp(t.box, 'b'), /cannot run beside itself: its service web has the fixed container_name/);
  t.bundle('a', version('3.0.0'));
  deepEqual((await updateApp(t.box, 'b')).upgrade, { from_version: '1.0.0', to_version: '3.0.0', kept: [] });

  t.bundle('a', version('4.0.0'));
  await makeBackup(t.box, 'b', 'manual');
  await restoreBeside(t.box, 'b', '', 'c');
  rmSync(join(t.directories.installed, 'b'), { recursive: true });
  await restoreFromBackup(t.box, 'b', '');
  deepEqual(offered(), ['a 4.0.0', 'b 4.0.0', 'c 4.0.0']);
});

const refused: Record<string, [Record<string, string>, () => unknown, string, RegExp]> = {
  'a port that no setting moves': [
    { 'compose.yaml': compose('8080'), '.env': 'X=1\n' },
    () => undefined,
    'b',
    /the app cannot run beside itself: service web: port 8080 is in use by another program/,
  ],
  'a project of a fixed name': [
    { 'compose.yaml': `name: a\n${compose('$PORT')}` },
    () => undefined,
    'b',
    /same Compose project as the app a/,
  ],
  'what the two would share': [
    { 'compose.yaml': 'services: { web: { image: registry/web:1, container_name: a } }\n' },
    () => undefined,
    'b',
    /the app cannot run beside itself: its service web has the fixed container_name a$/,
  ],
  'volumes that are left': [{}, () => t.volumes.add('b', 'data'), 'b', /docker volume rm b_data$/],
  'the name of an app': [{}, () => t.bundle('b'), 'b', /there is an app b already/],
  'its own name': [{}, () => undefined, 'a', /there is an app a already/],
  'an impossible name': [{}, () => undefined, '../b', /cannot be the name of an app/],
  'a directory without a Compose file': [
    { 'compose.yaml': '' },
    () => undefined,
    'b',
    /no Compose file that can be read/,
  ],
};
for (const [title, [files, prepare, name, message]] of Object.entries(refused)) {
  test(`refuses a second app for ${title}, and leaves nothing`, async () => {
    await start(files);
    prepare();
    await rejects(restoreBeside(t.box, 'a', '', name), message);
    deepEqual(leftovers(), []);
    deepEqual(
      t.tree().filter((path) => path === 'apps/b/'),
      [],
    );
    equal(t.file('a/.env'), files['.env'] ?? 'PORT=8080\n');
  });
}
