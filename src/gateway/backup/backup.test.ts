import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { FolderRepository } from '../../restic/testing/folder-repository.ts';
import { openStore } from '../store/open-store.ts';
import type { BackupPlace } from './backup-facts.ts';
import { inTemporaryFolder } from './folders.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { wireguardFolderOf } from './wireguard-folder.ts';

const token = new Uint8Array(32).fill(7);

/** A gateway's files on one machine. The settings are at the same path on every machine. */
function machine(settingsFile: string): BackupPlace & { folder: string; wireguardDir: string } {
  const folder = temporaryFolder();
  const wireguardDir = join(folder, 'wireguard');
  for (const name of ['state', 'wireguard']) mkdirSync(join(folder, name));
  return {
    ...{ folder, stateDir: join(folder, 'state'), routesDir: join(folder, 'routes'), wireguardDir },
    store: { kind: 'file', path: join(folder, 'state', 'gateway.db') },
    settingsFiles: [settingsFile, join(folder, 'absent')],
    domain: 'example.org',
  };
}

async function filled(settingsFile: string) {
  const place = machine(settingsFile);
  const store = await openStore(place.store);
  await store.insertPendingBox({ id: 'box_1', name: 'attic', peerName: 'boxgate-box_1', createdAt: 3 }, 9, 100);
  await store.activateBox('box_1', { peerId: 'peer-1', peerKey: null, address: '10.8.0.2', tokenHash: token });
  mkdirSync(join(place.routesDir, '.boxgate'), { recursive: true });
  writeFileSync(join(place.routesDir, 'own.yml'), 'http: {}\n');
  writeFileSync(join(place.routesDir, '.boxgate', 'store-id'), store.id);
  writeFileSync(join(place.routesDir, '.boxgate', 'half.tmp'), '');
  symlinkSync('/etc/shadow', join(place.routesDir, 'link.yml'));
  writeFileSync(settingsFile, 'old', { mode: 0o640 });
  writeFileSync(join(place.wireguardDir, 'wg0.conf'), 'the key', { mode: 0o600 });
  const database = new DatabaseSync(join(place.wireguardDir, 'wg-easy.db'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE clients (name); INSERT INTO clients VALUES (1)');
  return { place, store, database };
}

test('removes the temporary folders of commands that were killed, and no others', async () => {
  const { pid } = spawnSync('true');
  const folders = [`${pid}-a`, `${process.pid}-b`, 'c'].map((end) => join(tmpdir(), `boxgate-backup-${end}`));
  for (const folder of folders) mkdirSync(join(folder, 'secrets'), { recursive: true });
  try {
    await inTemporaryFolder(async (folder) => assert.match(folder, new RegExp(`-${process.pid}-`)));
    assert.deepEqual(
      folders.map((folder) => existsSync(folder)),
      [false, true, true],
    );
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});

async function backedUp() {
  const settingsFile = join(temporaryFolder(), 'etc', 'gateway.env');
  mkdirSync(join(settingsFile, '..'));
  const { place, store, database } = await filled(settingsFile);
  const repository = new FolderRepository(temporaryFolder());
  repository.isInstalled = true;
  const text = await makeBackup(repository, place, '1.2.3');
  await store.close();
  database.close();
  return { place, repository, settingsFile, text, storeId: store.id };
}

test('a backup of a running gateway is restored on another machine', async () => {
  const { repository, settingsFile, text, storeId } = await backedUp();
  assert.match(text, /boxes: 1, .*routes: 2 files.*wg-easy: \S+\/wireguard.*gateway backup key/s);
  const target = machine(settingsFile);
  writeFileSync(settingsFile, 'of the new server');
  chmodSync(settingsFile, 0o600);
  writeFileSync(join(target.wireguardDir, 'wg0.conf'), 'another key');
  writeFileSync(join(target.wireguardDir, 'wg-easy.db-wal'), 'would be applied to the restored database');
  mkdirSync(target.routesDir);
  writeFileSync(join(target.routesDir, 'mine.yml'), 'stays');
  const { ino } = statSync(target.routesDir);

  const said = await restoreBackup(repository, null, () => target, false);
  assert.match(said, /\*\.example\.org and the host that is set in wg-easy lead to this server/);
  const store = await openStore(target.store);
  assert.deepEqual([store.id, (await store.boxOfToken(token))?.id], [storeId, 'box_1']);
  await store.close();
  assert.equal(statSync(target.routesDir).ino, ino);
  assert.deepEqual(readdirSync(target.routesDir).sort(), ['.boxgate', 'mine.yml', 'own.yml']);
  assert.deepEqual(readdirSync(join(target.routesDir, '.boxgate')), ['store-id']);
  assert.equal(readFileSync(settingsFile, 'utf8'), 'old');
  assert.equal(statSync(settingsFile).mode & 0o777, 0o600);
  assert.equal(readFileSync(`${settingsFile}.before-restore`, 'utf8'), 'of the new server');
  const [kept = '', ...files] = readdirSync(target.wireguardDir).sort();
  assert.deepEqual(files, ['wg-easy.db', 'wg0.conf']);
  assert.deepEqual(readdirSync(join(target.wireguardDir, kept)).sort(), ['wg-easy.db-wal', 'wg0.conf']);
  assert.equal(readFileSync(join(target.wireguardDir, 'wg0.conf'), 'utf8'), 'the key');
  const database = new DatabaseSync(join(target.wireguardDir, 'wg-easy.db'));
  assert.equal(database.prepare('SELECT * FROM clients').all().length, 1);
  database.close();
});

test('a restore over a gateway keeps what was there, and the settings where it should', async () => {
  const { place, repository, settingsFile } = await backedUp();
  const store = await openStore(place.store);
  await store.removeBox('box_1', 5);
  await store.close();
  writeFileSync(settingsFile, 'new');
  const text = await restoreBackup(repository, '00000001', () => place, true);
  assert.match(text, /settings: none was changed/);
  assert.equal(readFileSync(settingsFile, 'utf8'), 'new');
  const kept = await openStore({ kind: 'file', path: join(place.stateDir, 'gateway.db.before-restore') });
  assert.deepEqual(await kept.listBoxes(), []);
  await kept.close();
  const restored = await openStore(place.store);
  assert.equal((await restored.listBoxes()).length, 1);
  await restored.close();
  // The folders of earlier restores are in no backup.
  await makeBackup(repository, place, '1.2.3');
  await restoreBackup(repository, null, () => place, false);
  const folders = readdirSync(place.wireguardDir).filter((name) => name.startsWith('.before-restore'));
  assert.equal(folders.length, 2);
});

test('a snapshot that somebody else has written restores known files only, and no links, modes and owners of its own', async () => {
  const { repository, settingsFile } = await backedUp();
  const target = machine(settingsFile);
  const also = join(settingsFile, '..', 'also');
  const secret = join(temporaryFolder(), 'shadow');
  writeFileSync(secret, 'the secret of this server');
  const [snapshot = ''] = readdirSync(repository.shownAddress);
  const backup = join(repository.shownAddress, snapshot, repository.kept[0]?.paths[0] ?? '');
  const stranger = join(target.folder, 'cron.d', 'x');
  const put = (file: string) => {
    const path = join(backup, 'settings', file);
    mkdirSync(join(path, '..'), { recursive: true });
    rmSync(path, { force: true });
    return path;
  };
  writeFileSync(put(stranger), '* * * * * root id');
  writeFileSync(put(also), 'mine');
  chmodSync(join(backup, 'settings', also), 0o6777);
  symlinkSync(secret, put(settingsFile));
  symlinkSync(secret, join(backup, 'wireguard', 'link.conf'));
  chmodSync(join(backup, 'wireguard', 'wg0.conf'), 0o4777);
  mkdirSync(join(backup, 'routes'), { recursive: true });
  writeFileSync(join(backup, 'routes', 'job'), 'no route');
  const later = join(target.folder, 'later');
  writeFileSync(put(later), 'later');

  // A link at the path of a settings file is kept beside it, and what it leads to stays.
  const elsewhere = join(target.folder, 'elsewhere');
  writeFileSync(elsewhere, 'of this server', { mode: 0o666 });
  symlinkSync(elsewhere, also);
  rmSync(settingsFile);
  const place = { ...target, settingsFiles: [settingsFile, also] };
  // The settings of the backup name one file more; they are read again after they are restored.
  let reads = 0;
  const readPlace = () => ({
    ...place,
    settingsFiles: ++reads > 3 ? [...place.settingsFiles, later] : place.settingsFiles,
  });
  const said = await restoreBackup(repository, null, readPlace, false);
  assert.ok(said.includes(`${later}: NOT restored, because only the settings of the backup name it`), said);
  assert.ok(said.includes(`${stranger}: NOT restored, because no setting of this server names it`), said);
  for (const path of [stranger, settingsFile]) assert.equal(existsSync(path), false, path);
  assert.deepEqual([readFileSync(also, 'utf8'), lstatSync(also).mode & 0o7777], ['mine', 0o644]);
  assert.equal(readFileSync(elsewhere, 'utf8'), 'of this server');
  assert.ok(lstatSync(`${also}.before-restore`).isSymbolicLink());
  assert.deepEqual(
    readdirSync(target.wireguardDir).filter((name) => name.endsWith('.conf')),
    ['wg0.conf'],
  );
  assert.equal(statSync(join(target.wireguardDir, 'wg0.conf')).mode & 0o7777, 0o755);
  assert.equal(existsSync(join(target.routesDir, 'job')), false);
});

test('a backup follows no link, and names the settings that are one', async () => {
  const settingsFile = join(temporaryFolder(), 'gateway.env');
  const { place, store, database } = await filled(settingsFile);
  const link = join(place.folder, 'link');
  symlinkSync('/etc/hostname', link);
  symlinkSync('/etc/hostname', join(place.wireguardDir, 'link.conf'));
  const repository = new FolderRepository(temporaryFolder());
  repository.isInstalled = true;
  const said = await makeBackup(repository, { ...place, settingsFiles: [settingsFile, link] }, '1');
  await store.close();
  database.close();
  assert.match(said, /settings: \S+gateway\.env$/m);
  assert.ok(said.includes(`${link}: NOT in the backup, because it is a link`), said);
  const copied = readdirSync(repository.shownAddress, { recursive: true, withFileTypes: true });
  assert.deepEqual(
    copied.filter((one) => one.name.startsWith('link') && !one.isSymbolicLink()),
    [],
  );
});

test('a restore goes to the store that the restored settings name', async () => {
  const { repository, settingsFile } = await backedUp();
  const target = machine(settingsFile);
  writeFileSync(settingsFile, 'new');
  const path = join(target.folder, 'named.db');
  const readPlace = (): BackupPlace =>
    readFileSync(settingsFile, 'utf8') === 'old' ? { ...target, store: { kind: 'file', path } } : target;
  await restoreBackup(repository, null, readPlace, false);
  assert.deepEqual([existsSync(path), existsSync(join(target.stateDir, 'gateway.db'))], [true, false]);
});

const skip = process.getuid?.() !== 0 && 'only root can take the rights of the gateway';
test("root follows no link out of the gateway's folders", { skip }, async () => {
  const { place, repository } = await backedUp();
  const secrets = join(temporaryFolder(), 'secrets');
  mkdirSync(secrets, { mode: 0o700 });
  writeFileSync(join(secrets, 'key'), 'secret');
  for (const path of [place.folder, place.stateDir]) {
    chmodSync(path, 0o755);
    chownSync(path, 65_534, 65_534);
  }
  rmSync(place.routesDir, { recursive: true });
  symlinkSync(secrets, place.routesDir);
  await assert.rejects(makeBackup(repository, place, '1'), { code: 'EACCES' });
  await assert.rejects(
    restoreBackup(repository, null, () => place, true),
    { code: 'EACCES' },
  );
  assert.deepEqual(readdirSync(secrets), ['key']);
  rmSync(place.routesDir);
  await restoreBackup(repository, null, () => place, true);
  assert.equal(statSync(join(place.routesDir, '.boxgate', 'store-id')).uid, 65_534);
});

test('what cannot be restored is refused before anything is changed', async () => {
  const { repository, settingsFile } = await backedUp();
  const target = machine(settingsFile);
  writeFileSync(settingsFile, 'new');
  const attempt = (id: string | null, change: Partial<BackupPlace> = {}) =>
    restoreBackup(repository, id, () => ({ ...target, ...change }), false);
  await assert.rejects(attempt('ffff'), /there is no backup "ffff"; boxgate gateway backup list/);
  await assert.rejects(attempt('0'), /there is no backup "0"/);
  await assert.rejects(attempt(null, { wireguardDir: '/absent' }), /there is no folder \/absent: create its container/);
  const running = await openStore(target.store);
  await assert.rejects(attempt(null), /another process works on the store/);
  await running.close();
  const [snapshot = ''] = readdirSync(repository.shownAddress);
  const facts = join(repository.shownAddress, snapshot, repository.kept[0]?.paths[0] ?? '', 'facts.json');
  writeFileSync(facts, readFileSync(facts, 'utf8').replace('"format": 1', '"format": 2'));
  await assert.rejects(attempt(null), /damaged or of a newer boxgate/);
  rmSync(facts);
  await assert.rejects(attempt(null), /damaged or of a newer boxgate/);
  assert.equal(readFileSync(settingsFile, 'utf8'), 'new');
  assert.deepEqual(readdirSync(target.wireguardDir), []);
});

test('wg-easy is found by the mount of its container', () => {
  const container = (Name: string, Running: boolean, Source: string, Destination = '/etc/wireguard') => ({
    ...{ Name, State: { Running } },
    Mounts: [{ Destination: '/lib/modules' }, { Destination, Source }],
  });
  const found = (...containers: unknown[]) => wireguardFolderOf(JSON.stringify(containers));
  assert.deepEqual(found(container('/wg', true, '/v/_data')), { path: '/v/_data', runningIn: 'wg' });
  assert.deepEqual(found(container('/old', false, '/v'), container('/wg', true, '/v')), {
    path: '/v',
    runningIn: 'wg',
  });
  assert.deepEqual(found(container('/wg', false, '/v')), { path: '/v', runningIn: null });
  for (const other of [[container('/x', true, '/v', '/data')], [], [{}]]) assert.equal(found(...other), null);
  assert.equal(wireguardFolderOf('no JSON'), null);
  assert.throws(
    () => found(container('/a', true, '/v'), container('/b', true, '/w')),
    /a and b .*GATEWAY_WIREGUARD_DIR/,
  );
});
