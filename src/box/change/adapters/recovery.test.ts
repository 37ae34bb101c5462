import assert from 'node:assert/strict';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeStateDirectory, storageFailed } from '../../../lib/files/storage.ts';
import { makeUpdateFiles } from '../../../self-update/adapters/update-files.ts';
import { installApp } from '../../apps/install.ts';
import { useTestBox, writeFiles } from '../../testing/test-box.ts';
import { finishWaiting } from '../finish.ts';
import { checkReadable, closeToOthers, recover } from './recovery.ts';

const testBox = useTestBox();

const start = () => recover(testBox.directories, testBox.work, testBox.box.changes, testBox.box.warn);

test('the state directory is made readable for all', () => {
  const path = join(testBox.root, 'deep/state');
  makeStateDirectory(path);
  assert.equal(statSync(path).mode & 0o777, 0o755);
  makeStateDirectory(path);
  writeFileSync(join(testBox.root, 'file'), '');
  assert.throws(() => makeStateDirectory(join(testBox.root, 'file')), { name: 'StorageFailed' });
  assert.throws(() => makeStateDirectory(join(testBox.root, 'file/state')), { name: 'StorageFailed' });
});

test('a state directory that the kernel refuses to make is reported, and does not hang', () => {
  assert.throws(() => makeStateDirectory('/proc/boxgate/state'), { name: 'StorageFailed' });
});

test('an unreadable directory of apps ends the start, an absent one does not', () => {
  checkReadable(testBox.root);
  checkReadable(join(testBox.root, 'absent'));
  writeFileSync(join(testBox.root, 'file'), '');
  assert.throws(() => checkReadable(join(testBox.root, 'file')), { name: 'StorageFailed' });
});

test('the folder of the apps is made for its owner alone, and one that all may enter is closed', () => {
  const { installed } = testBox.directories;
  const mode = () => statSync(installed).mode & 0o777;
  const { warnings } = testBox;
  rmSync(installed, { recursive: true });
  testBox.work.open();
  assert.equal(mode(), 0o700);
  closeToOthers(join(testBox.root, 'absent'), testBox.box.warn);
  chmodSync(installed, 0o750);
  closeToOthers(installed, testBox.box.warn);
  assert.deepEqual([mode(), warnings.length], [0o750, 0]);
  chmodSync(installed, 0o755);
  closeToOthers(installed, testBox.box.warn);
  assert.deepEqual([mode(), warnings.length], [0o700, 1]);
});

test('a start removes the leftovers of a killed server, and nothing else', async () => {
  testBox.installed('a', { '.boxgate-write-00ff': 'half', 'data/.boxgate-write-own': 'kept' });
  const staging = join(testBox.root, 'apps/.boxgate/install-abc/a');
  mkdirSync(staging, { recursive: true });
  mkdirSync(join(testBox.directories.state, 'trash/20260101T000000Z-00aa00aa'), { recursive: true });
  writeFileSync(join(testBox.directories.state, '.boxgate-write-11'), '');
  await start();
  assert.deepEqual(testBox.tree(), [
    'apps/',
    'apps/a/',
    'apps/a/compose.yaml',
    'apps/a/data/',
    'apps/a/data/.boxgate-write-own',
    'apps/a/manifest.json',
    'bundled/',
    'state/',
    'state/trash/',
    'state/update.lock',
  ]);
});

test('a start leaves the files alone that a running update is writing', async () => {
  const writing = join(testBox.directories.state, '.boxgate-write-11');
  writeFileSync(writing, '{"stage":');
  const lock = await makeUpdateFiles(testBox.directories.state).tryLock();
  await start();
  assert.ok(existsSync(writing));
  lock?.release();
  await start();
  assert.ok(!existsSync(writing), 'left over, now that no update runs');
});

test('a start with nothing to do does not wait for other changes', async () => {
  testBox.installed('a');
  symlinkSync('/nowhere', join(testBox.directories.installed, 'link'));
  testBox.box.changes.run = () => assert.fail('a change was run');
  await start();
  rmSync(testBox.directories.installed, { recursive: true });
  rmSync(testBox.directories.state, { recursive: true });
  await start();
});

test('an install that cannot be finished is reported, and holds up neither the start nor other apps', async (t) => {
  // Without room for a new folder.
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  t.mock.method(fs.promises, 'mkdir', () => Promise.reject(full));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const directory = testBox.installed('a', { 'c.conf/inside': 'x' });
  const staging = join(testBox.root, 'apps/.boxgate/install-1');
  writeFiles(staging, { 'old-0': 'old' });
  const step = { path: 'c.conf', staged: '0', keepAs: null, existed: true, keptBefore: false };
  const files = { directory, staging, steps: [step], record: { path: '', text: '' } };
  await testBox.box.backup.files.writeJournal({ app: 'a', operation: 'update', way: 'back', files });
  testBox.bundle('b');
  await start();
  assert.match(testBox.warnings.join(), /^the last install of a cannot be finished: /);
  assert.equal(await finishWaiting(testBox.box, 'b'), null);
  t.mock.restoreAll();
  syncBuiltinESMExports();
  await installApp(testBox.box, { name: 'b', settings: {} });
  assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /^cannot finish the last install of a: /);
  // Docker leaves an empty directory where the file of a mount was missing.
  rmSync(join(directory, 'c.conf/inside'));
  assert.equal(await finishWaiting(testBox.box, 'a'), null);
  assert.equal(testBox.file('a/c.conf'), 'old');
});

test('an install whose files cannot be exchanged is put back and reported, and nothing of it waits', async () => {
  const directory = testBox.installed('a', { 'c.conf/inside': 'x' });
  const staging = join(testBox.root, 'apps/.boxgate/install-1');
  writeFiles(staging, { '0': 'new' });
  const step = { path: 'c.conf', staged: '0', keepAs: null, existed: false, keptBefore: false };
  const files = { directory, staging, steps: [step], record: null };
  await testBox.box.backup.files.writeJournal({ app: 'a', operation: 'install', way: 'forth', files });
  assert.equal(await finishWaiting(testBox.box, 'a'), null);
  assert.match(testBox.warnings.join(), /^cannot finish the last install of a: a directory is in the place of a file/);
  assert.equal(testBox.file('a/c.conf/inside'), 'x');
  assert.deepEqual(testBox.box.backup.waiting.apps(), []);
});

test('files on a disk that is away wait for it, also if an empty mount point is in its place', async () => {
  const directory = testBox.installed('a', { 'c.conf': 'new' });
  const staging = join(testBox.root, 'apps/.boxgate/install-1');
  writeFiles(staging, { 'old-0': 'old' });
  const step = { path: 'c.conf', staged: '0', keepAs: null, existed: true, keptBefore: false };
  const files = { directory, staging, steps: [step], record: null };
  await testBox.box.backup.files.writeJournal({ app: 'a', operation: 'update', way: 'back', files });
  const away = join(testBox.root, 'away');
  mkdirSync(away);
  renameSync(directory, join(away, 'a'));
  mkdirSync(directory);
  await start();
  assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /apps\/a is empty: mount its disk, or remove/);
  rmSync(directory, { recursive: true });
  renameSync(join(testBox.root, 'apps/.boxgate'), join(away, 'staging'));
  await start();
  assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /^neither \S+ nor \S+ is there: mount the disk/);
  renameSync(join(away, 'a'), directory);
  renameSync(join(away, 'staging'), join(testBox.root, 'apps/.boxgate'));
  assert.equal(await finishWaiting(testBox.box, 'a'), null);
  assert.equal(testBox.file('a/c.conf'), 'old');
});

test('an error of the disk becomes a sentence for the owner', () => {
  const fault = (code: string) => Object.assign(new Error(`${code}: raw`), { code });
  const messageOf = (code: string) => storageFailed('cannot write x', fault(code)).message;
  assert.equal(messageOf('ENOSPC'), 'cannot write x: no space left on the disk');
  assert.equal(messageOf('EROFS'), 'cannot write x: the disk is read-only');
  assert.equal(messageOf('ENOTDIR'), 'cannot write x: a file is in the place of a directory');
  assert.equal(messageOf('EODD'), 'cannot write x: EODD');
  assert.equal(storageFailed('cannot write x', new Error('raw')).message, 'cannot write x: raw');
  const same = storageFailed('cannot write x', fault('EIO'));
  assert.equal(storageFailed('cannot do more', same), same);
});
