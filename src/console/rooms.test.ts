import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installApp } from '../box/apps/install.ts';
import { makeBackups } from '../box/backup/make-backup.ts';
import { withBackup } from '../box/backup/rules/backup-runs.ts';
import { StorageFailed } from '../box/core.ts';
import type { Row, ShownAction } from '../box/report.ts';
import { useTestBox } from '../box/testing/test-box.ts';
import { actionOf, makeRooms, roomAt } from './rooms.ts';

const testBox = useTestBox();
const rooms = () => makeRooms(testBox.box);

async function rowsOf(path: string): Promise<Row[]> {
  const { room, app } = roomAt(await rooms(), path);
  return (await room.read(app)).sections.flatMap(({ rows }) => rows);
}

/** All texts of a room. */
async function textOf(path: string): Promise<string> {
  return (await rowsOf(path)).flatMap(({ text, facts = [], link }) => [text, ...facts, link?.href ?? '']).join('\n');
}

async function actionsOf(path: string): Promise<ShownAction[]> {
  const { room, app } = roomAt(await rooms(), path);
  const { sections } = await room.read(app);
  return sections.flatMap(({ rows, actions = [] }) => [...rows.flatMap((row) => row.actions ?? []), ...actions]);
}

/** Presses a button of a room, and types into its fields. */
async function press(path: string, label: string, typed: Record<string, string> = {}) {
  const shown = (await actionsOf(path)).find((one) => `${one.label}: ${one.about ?? ''}`.startsWith(label));
  const { action, fields } = actionOf(await rooms(), { act: shown?.act ?? '', fields: { ...shown?.given, ...typed } });
  return action.run(fields);
}

test('a removed app is restored, or deleted for good; a replaced one is only deleted', async () => {
  const { box, installed } = testBox;
  for (const name of ['notes', 'old <b>notes', 'films']) {
    installed(name);
    await box.trash.put(name);
  }
  installed('films');
  const manifest = { name: 'notes', version: '1', display_name: 'My notes' };
  testBox.bundle('notes', { 'manifest.json': JSON.stringify(manifest) });
  assert.match(
    await textOf('trash'),
    /^An app that you remove is kept here for 7 days with all its data, and can come/,
  );
  assert.match((await press('trash', 'Restore: My notes')).text, /^notes is back and runs/);
  assert.match((await press('trash', 'Delete now: old <b>notes')).text, /^old <b>notes is deleted for good$/);
  const left = await actionsOf('trash');
  assert.deepEqual(
    left.map(({ label, about, question }) => [label, about, question?.title]),
    [['Delete now', 'films', 'Delete films for good?']],
  );
  await press('trash', 'Delete now: films');
  assert.match(await textOf('trash'), /There is none\./);
});

test('an owner sets an address, tries it, and turns notifications off; the address is not shown again', async () => {
  const { notifications } = testBox;
  assert.match(await textOf('notifications'), /Notifications are off\.\n/);
  const [field] = (await actionsOf('notifications')).flatMap(({ fields = [] }) => fields);
  assert.match(field?.choices?.[0]?.value ?? '', /^https:\/\/ntfy\.sh\/boxgate-\d{10,}$/);
  const wrong = press('notifications', 'Save', { address: 'gopher://x' });
  await assert.rejects(wrong, { message: /^expected an address that begins with https/ });
  const { text } = await press('notifications', 'Save', { address: 'push.example.org/message?token=A1b2c3' });
  assert.equal(text, 'Messages go to push.example.org now.');
  assert.equal(notifications.kept, 'https://push.example.org/message?token=A1b2c3');
  assert.match(await textOf('notifications'), /None was sent yet\./);
  const good = { ok: true, text: 'push.example.org answered 200 OK' };
  assert.deepEqual(await press('notifications', 'Send a test message'), good);
  notifications.problem = 'answered 403 Forbidden';
  assert.equal((await press('notifications', 'Send a test message')).ok, false);
  const room = JSON.stringify([await rowsOf('notifications'), await actionsOf('notifications')]);
  assert.deepEqual([/answered 403 Forbidden/.test(room), /A1b2c3/.test(room)], [true, false]);
  assert.equal((await press('notifications', 'Turn off')).text, 'Notifications are off.');
  assert.equal(notifications.kept, null);
});

test('the names with HTTPS, what is wrong with them, and the certificate that devices have to trust', async () => {
  testBox.installed('notes');
  assert.match(
    await textOf('https'),
    /make two records\n[\s\S]*`box\.example\.org` and `\*\.box\.example\.org`, both with the address 192\.168\.1\.7/,
  );
  const { https } = testBox.box;
  await https.makeFolder();
  await https.write(new Map([['app-notes.caddy', '']]));
  const [domain, caddyfile] = ['box.example.org', '/etc/caddy/Caddyfile'];
  await https.keep({ domain, caddyfile, certificate: { by: 'local' }, login: null, closing: null });
  assert.doesNotMatch(await textOf('https'), /iPhone/);
  await https.keepRootCertificate('-----BEGIN CERTIFICATE-----\n');
  const rows = await rowsOf('https');
  assert.deepEqual(
    rows.flatMap(({ href }) => href ?? []),
    ['https://box.example.org/', 'https://notes.box.example.org/'],
  );
  assert.match(rows.find(({ is }) => is === 'warning')?.text ?? '', /box\.example\.org|do not follow/);
  assert.match(await textOf('https'), /root\.crt\n[\s\S]*iPhone, iPad/);
  assert.match(await textOf('apps/notes'), /^https:\/\/notes\.box\.example\.org\/$/m);
});

test('space: what takes it, what can go, and an app whose disk is missing', async () => {
  const { box, containers } = testBox;
  testBox.mount('/mnt/disk');
  const compose = 'services: { web: { image: "w:1", restart: always, volumes: ["/mnt/disk/photos:/p"] } }';
  testBox.bundle('photos', { 'compose.yaml': compose });
  await installApp(box, { name: 'photos', settings: {} });
  testBox.mount();
  const image = (id: string, bytes: number) => ({ id, tags: [], bytes, own: bytes });
  const images = [image(containers.containers[0]?.imageId ?? '', 5e6), image('old', 3e6)];
  const volumes = [{ name: 'photos_data', project: 'photos', bytes: 2e9 }];
  box.space.engineUsage = async () => ({ images, volumes });
  box.space.disks = async () => [{ uses: ['Docker (/var/lib/docker)'], free: 1e9, size: 100e9 }];
  const replacedAt = box.now().toISOString();
  await box.space.replaced.save([{ id: 'old', app: 'photos', tags: ['w:0'], replacedAt }]);
  const text = await textOf('space');
  assert.match(text, /^1\.0 GB of 100 GB free: nearly full\nOn it: Docker/m);
  assert.match(text, /^photos: 2\.0 GB\nFolder 1\.0 kB, program 5\.0 MB, data that Docker keeps 2\.0 GB\.$/m);
  assert.match(text, /^w:0 of photos: 3\.0 MB, goes 2026-01-09 03:04 UTC\.$/m);
  assert.deepEqual(await press('space', 'Remove now'), { ok: true, text: 'removed w:0 of photos' });
  assert.deepEqual(containers.removed, ['old']);
  for (const path of ['space', 'apps/photos']) {
    assert.match(await textOf(path), /Not started: nothing is mounted at \/mnt\/disk.* Mount the disk, and it starts/);
  }
  const { ok, text: said } = await press('apps/photos', 'Accept the disk: photos');
  assert.match(`${ok} ${said}`, /^true photos takes its folders as they are/);
  assert.doesNotMatch(await textOf('apps/photos'), /Not started:/);
});

test('an app: says that Docker does not answer only if that is why no state is known', async () => {
  const { installed, containers } = testBox;
  installed('notes');
  for (const failure of ['Docker does not answer; is it running?', 'docker ps printed more than the box can read']) {
    containers.fail('observe', failure, true);
    const [row] = await rowsOf('apps/notes');
    const said = failure.startsWith('Docker does') ? failure : `Nothing is known of the apps: ${failure}`;
    assert.deepEqual(row, { is: 'warning', text: said });
  }
});

test('updates: what is newer, a look now, and updates by themselves', async () => {
  const calls: string[] = [];
  const { versions } = testBox.box;
  const manifest = { name: 'notes', version: '1', release_notes: 'https://notes.example/new' };
  testBox.bundle('notes', { 'manifest.json': JSON.stringify(manifest) });
  await installApp(testBox.box, { name: 'notes', settings: {} });
  versions.askRegistry = async () => ({ digest: 'sha256:newer' });
  versions.timer = { enable: async () => void calls.push('on'), disable: async () => void calls.push('off') };
  assert.match(await textOf('updates'), /^Nobody has looked yet\./m);
  assert.equal((await press('updates', 'Look now')).text, '1 app(s) have a newer version.');
  const newer = /^A newer build of registry\/web:1, known since 2026-.* UTC\.\nhttps:\/\/notes\.example\/new$/m;
  assert.match(await textOf('updates'), newer);
  for (const days of ['', '366', '1e1']) {
    await assert.rejects(async () => press('updates', 'Turn on', { days }), { refusal: 'invalidAppUpdates' });
  }
  assert.equal((await press('updates', 'Turn on', { days: '5' })).text, 'Apps are updated by themselves now.');
  await press('updates', 'Save', { days: '1.5' });
  const shown = async () => (await actionsOf('updates')).flatMap(({ fields = [] }) => fields.map(({ value }) => value));
  assert.deepEqual([await shown(), versions.known.load().minAgeHours], [['1.5'], 36]);
  await press('updates', 'Save', { days: '5' });
  await press('updates', 'Turn off');
  const { isEnabled, minAgeHours } = versions.known.load();
  assert.deepEqual([calls, isEnabled, minAgeHours], [['on', 'on', 'on', 'off'], false, 120]);
  testBox.containers.fail('observe', 'Cannot connect to the Docker daemon.', true);
  const failed = { ok: false, text: 'Cannot connect to the Docker daemon.' };
  assert.deepEqual(await press('updates', 'Look now'), failed);
});

test('after a bad night the room says which app has no backup, one sentence for one cause', async () => {
  const { box, installed, repository } = testBox;
  const names = ['feeds', 'memos', 'notes', 'wiki'];
  for (const name of names) installed(name);
  repository.isInstalled = true;
  await makeBackups(box, { name: 'feeds', tell: () => undefined, isStopping: () => false });
  const failure = 'no backup: the repository does not answer';
  const now = box.now();
  await box.backup.runs.change((runs) => {
    const failed = names.slice(1).reduce((before, name) => withBackup(before, name, failure, now), runs);
    return { ...failed, isKeyKept: true, enabledAt: now.toISOString(), endedAt: now.toISOString() };
  });
  repository.kept.push({ ...repository.kept[0], id: '99', shortId: '99', isOwn: false, host: 'attic' } as never);
  const warnings = (await rowsOf('backups')).filter(({ is }) => is === 'warning').map(({ text }) => text);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /^Memos, notes, wiki: no backup: the repository does not answer/);
  assert.match(warnings[1] ?? '', /^Another machine, attic, made the latest backup of feeds/);
  const text = await textOf('backups');
  assert.deepEqual(
    [text.split('It has no backup.').length - 1, /Its latest backup is \d+ days old\./.test(text)],
    [3, true],
  );
  repository.isInstalled = false;
  repository.snapshots = async () => {
    await repository.prepare();
    return [];
  };
  assert.match(await textOf('backups'), /^The program restic is not installed/m);
});

test('an action whose missing field would make it larger is refused, and a failed section leaves the rest', async () => {
  for (const [act, fields] of [
    ['notifications/set', { adress: 'https://ntfy.sh/y' }],
    ['backups/make', { ap: 'notes' }],
    ['backups/restore', { app: 'notes', id: 'abcdef01' }],
  ] as const) {
    const all = await rooms();
    assert.throws(() => actionOf(all, { act, fields }), { refusal: 'invalidAct' }, act);
  }
  const { box, installed } = testBox;
  installed('notes');
  box.keptFiles.list = () => [{ kept: 'compose.yaml.kept', file: 'compose.yaml' }];
  box.keptFiles.difference = async () => Promise.reject(new StorageFailed('diff is not installed'));
  assert.match(await textOf('apps/notes'), /Version[\s\S]*Backups of[\s\S]*Diff is not installed/);
});
