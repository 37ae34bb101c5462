import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { acquireLock } from './lock.ts';

const folder = await mkdtemp(join(tmpdir(), 'lock-'));
after(() => rm(folder, { recursive: true }));

let count = 0;
const lockFile = () => join(folder, `${count++}.lock`);

/** Whether another program finds the lock held. */
const heldForOthers = (path: string) => spawnSync('flock', ['-n', path, 'true']).status !== 0;

test('holds the lock that flock(2) of other programs sees, until it is released', async () => {
  const path = lockFile();
  const lock = await acquireLock(path, { wait: false });
  assert.ok(lock);
  assert.equal(heldForOthers(path), true);
  lock.release();
  assert.equal(heldForOthers(path), false);
});

test('gives null while another process holds it', async () => {
  const path = lockFile();
  const holder = spawn('flock', [path, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(holder.stdout, 'data');
  assert.equal(await acquireLock(path, { wait: false }), null);
  holder.stdin.end();
  await once(holder, 'close');
  const lock = await acquireLock(path, { wait: false });
  assert.ok(lock);
  lock.release();
});

test('two holders in one process exclude each other', async () => {
  const path = lockFile();
  const first = await acquireLock(path, { wait: false });
  assert.equal(await acquireLock(path, { wait: false }), null);
  const second = acquireLock(path, { wait: true });
  first?.release();
  const lock = await second;
  assert.ok(lock);
  assert.equal(heldForOthers(path), true);
  lock.release();
});

test('waits for its turn', async () => {
  const path = lockFile();
  const holder = spawn('flock', [path, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(holder.stdout, 'data');
  let taken = false;
  const waiting = acquireLock(path, { wait: true }).then((lock) => {
    taken = true;
    return lock;
  });
  assert.equal(await acquireLock(path, { wait: false }), null);
  assert.equal(taken, false);
  holder.stdin.end();
  (await waiting)?.release();
  assert.equal(heldForOthers(path), false);
});

test('waits at most so many seconds', async () => {
  const path = lockFile();
  const first = await acquireLock(path, { wait: false });
  assert.equal(await acquireLock(path, { wait: { seconds: 0.01 } }), null);
  const second = acquireLock(path, { wait: { seconds: 60 } });
  first?.release();
  assert.ok(await second);
  (await second)?.release();
});

test('a release twice is a release once', async () => {
  const path = lockFile();
  const first = await acquireLock(path, { wait: false });
  first?.release();
  const second = await acquireLock(path, { wait: false });
  first?.release();
  assert.equal(heldForOthers(path), true);
  second?.release();
});

test('is not inherited by a program that was started meanwhile', async () => {
  const path = lockFile();
  const lock = await acquireLock(path, { wait: false });
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  lock?.release();
  assert.equal(heldForOthers(path), false);
  child.stdin.end();
  await once(child, 'close');
});

test('ends with its holder, however that ends', async () => {
  const path = lockFile();
  const program = `
    import { acquireLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
    await acquireLock(${JSON.stringify(path)}, { wait: false });
    console.log('held');
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  assert.equal(heldForOthers(path), true);
  holder.kill('SIGKILL');
  await once(holder, 'close');
  assert.equal(heldForOthers(path), false);
});

test('a signal to our whole process group does not end the wait for it', { timeout: 60_000 }, async () => {
  const path = lockFile();
  const lock = await acquireLock(path, { wait: false });
  const script = `
    process.on('SIGTERM', () => {});
    const { acquireLock } = await import('${import.meta.dirname}/lock.ts');
    await acquireLock('${path}', { wait: true });
    process.stdout.write('held');`;
  const waiter = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true });
  const said = waiter.stdout.toArray();
  // Whether the waiting `flock` was started. `/proc/locks` is no alternative: in some containers it hides locks whose
  // creator has ended.
  const waits = () => {
    const children = readFileSync(`/proc/${waiter.pid}/task/${waiter.pid}/children`, 'utf8').trim().split(' ');
    return children.some((pid) => pid !== '' && nameOf(pid) === 'flock');
  };
  while (!waits()) await pause(5);
  process.kill(-(waiter.pid as number), 'SIGTERM');
  lock?.release();
  assert.equal(String(await said), 'held');
});

/** The name of a process; empty if the process has ended. */
function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

test('says which file could not be opened', async () => {
  await assert.rejects(acquireLock(join(folder, 'gone', 'x.lock'), { wait: false }), /x\.lock/);
});

test('says so when the program flock is missing', async () => {
  const path = process.env.PATH;
  process.env.PATH = folder;
  await assert
    .rejects(acquireLock(lockFile(), { wait: false }), /the program flock \(util-linux\) is not on PATH/)
    .finally(() => {
      process.env.PATH = path;
    });
});

test('a file that is there can be locked on a read-only file system, and an absent one is an error', async (t) => {
  const place = await mkdtemp(join(folder, 'read-only-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    t.skip('only root may mount a file system');
    return;
  }
  t.after(() => execFileSync('umount', [place]));
  const path = join(place, 'there.lock');
  (await acquireLock(path, { wait: false }))?.release();
  execFileSync('mount', ['-o', 'remount,ro', place]);
  const lock = await acquireLock(path, { wait: false });
  assert.equal(heldForOthers(path), true);
  lock?.release();
  await assert.rejects(acquireLock(join(place, 'absent.lock'), { wait: false }), /cannot lock .*absent\.lock/);
});
