import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, link, mkdir, readdir, readFile, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as immediately } from 'node:timers/promises';
import { acquireLock } from '../../lib/process/lock.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { lockChanges, makeUpdateFiles } from './update-files.ts';

let folder = '';
beforeEach(async () => {
  folder = temporaryFolder();
});

test('there is no state before the first update', async () => {
  assert.deepEqual(await makeUpdateFiles(folder).readState(), {});
});

test('a state is written whole, for everybody to read, and leaves no other file', async () => {
  const files = makeUpdateFiles(folder);
  await files.writeState({ stage: 'checking' });
  await files.writeState({ stage: 'done' });
  assert.deepEqual(await files.readState(), { stage: 'done' });
  assert.deepEqual(await readdir(folder), ['update-state.json']);
  assert.equal((await stat(join(folder, 'update-state.json'))).mode & 0o777, 0o644);
});

test('the owner of the state directory owns a lock that root made there', {
  skip: process.getuid?.() !== 0 && 'only root makes files for others',
}, async () => {
  const owner = 65_534;
  await chown(folder, owner, owner);
  const files = makeUpdateFiles(folder);
  (await files.lock())?.release();
  const lock = join(folder, 'update.lock');
  assert.equal((await stat(lock)).uid, owner);
  // A hard link to a file of root, as the owner of the directory could make one.
  await chown(lock, 0, 0);
  await link(lock, join(folder, 'another-name'));
  (await files.tryLock())?.release();
  assert.equal((await stat(lock)).uid, 0);
});

test('a state that appears or goes while it is read is whole or none', async () => {
  const state = join(folder, 'update-state.json');
  // Runs in another process, because nothing in this one could change the file between two reads.
  const coming = spawn(process.execPath, ['--input-type=module', '--eval', appearAndGo, state]);
  const gone = once(coming, 'exit');
  const files = makeUpdateFiles(folder);
  const seen = new Set<string | undefined>();
  while (coming.exitCode === null && coming.signalCode === null) {
    for (let look = 0; look < 200; look += 1) seen.add((await files.readState()).stage);
    await immediately();
  }
  assert.deepEqual(await gone, [0, null]);
  assert.ok(!seen.has('rolled_back'), 'a part of it would be a damaged state');
});

/** A program that repeatedly writes a file beside its place, renames it into place and removes it. */
const appearAndGo = `
  import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
  const [, state] = process.argv;
  for (let turn = 0; turn < 3000; turn += 1) {
    writeFileSync(state + '.new', '{"stage": "done"}');
    renameSync(state + '.new', state);
    unlinkSync(state);
  }`;

test('a folder, a link or a pipe in its place counts as a damaged file', async () => {
  const state = join(folder, 'update-state.json');
  await mkdir(state);
  assert.match((await makeUpdateFiles(folder).readState()).reason ?? '', /is damaged/);
  await rmdir(state);
  for (const target of ['/dev/zero', '/etc/passwd']) {
    await symlink(target, state);
    assert.match((await makeUpdateFiles(folder).readState()).reason ?? '', /is damaged/);
    await rm(state);
  }
  execFileSync('mkfifo', [state]);
  assert.match((await makeUpdateFiles(folder).readState()).reason ?? '', /is damaged/);
});

test('the lock is held by one and free again afterwards', async () => {
  const files = makeUpdateFiles(folder);
  const lock = await files.tryLock();
  assert.ok(lock !== null);
  assert.equal(await files.tryLock(), null);
  lock.release();
  (await files.tryLock())?.release();
});

test('an update waits for those who only test the lock', async () => {
  const files = makeUpdateFiles(folder, 60);
  const tested = await files.tryLock();
  const taken = files.lock();
  assert.equal(await files.tryLock(), null);
  tested?.release();
  const lock = await taken;
  assert.ok(lock !== null);
  lock.release();
});

test('a lock that cannot be tested fails in words', async () => {
  const files = makeUpdateFiles(join(folder, 'gone'));
  await assert.rejects(files.tryLock(), { name: 'StorageFailed', message: /^cannot test the update lock: / });
});

test('the lock is the one that other programs take with flock(2)', async () => {
  const files = makeUpdateFiles(folder);
  const lock = await files.tryLock();
  const path = join(folder, 'update.lock');
  assert.equal(spawnSync('flock', ['-n', path, 'true']).status, 1);
  lock?.release();
  assert.equal(spawnSync('flock', ['-n', path, 'true']).status, 0);
});

test('the running server is told to nobody but its owner', async () => {
  const running = { address: 'http://127.0.0.1:7000', version: '1.0.0', unit: null, pid: 1 };
  await writeFile(join(folder, 'running.json'), 'old');
  await chmod(join(folder, 'running.json'), 0o644);
  assert.equal(await makeUpdateFiles(folder).readRunning(), null);
  await makeUpdateFiles(folder).writeRunning(running);
  assert.deepEqual(await makeUpdateFiles(folder).readRunning(), running);
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'running.json'), 'utf8')), running);
  assert.equal((await stat(join(folder, 'running.json'))).mode & 0o777, 0o600);
});

describe('who runs', () => {
  test('is unknown before the first start', async () => {
    assert.equal(await makeUpdateFiles(folder).readRunning(), null);
  });

  test('is unknown where the file cannot be read', async () => {
    await mkdir(join(folder, 'running.json'));
    assert.equal(await makeUpdateFiles(folder).readRunning(), null);
    assert.equal(await makeUpdateFiles('/dev/null').readRunning(), null);
  });

  test('is unknown from a file of another form', async () => {
    const whole = { address: 'http://127.0.0.1:7000', version: '1.0.0', unit: 'a.service', pid: 1 };
    const without = ['address', 'version', 'pid'].map((key) => JSON.stringify({ ...whole, [key]: null }));
    for (const odd of ['', '[]', ...without]) {
      await writeFile(join(folder, 'running.json'), odd);
      assert.equal(await makeUpdateFiles(folder).readRunning(), null, odd);
    }
    await writeFile(join(folder, 'running.json'), JSON.stringify(whole));
    assert.deepEqual(await makeUpdateFiles(folder).readRunning(), whole);
  });
});

test('choice/box/365: an update waits for the change that is in progress', async () => {
  const folder = temporaryFolder();
  const change = await acquireLock(join(folder, 'change.lock'), { wait: false });
  assert.equal(await lockChanges(folder, 0), null);
  const waiting = lockChanges(folder, 60);
  change?.release();
  const lock = await waiting;
  assert.ok(lock !== null);
  lock.release();
});

test('a lock of changes that cannot be taken fails in words', async () => {
  await assert.rejects(lockChanges(join(temporaryFolder(), 'gone'), 1), {
    name: 'StorageFailed',
    message: /^cannot wait for the change of an app: /,
  });
});
