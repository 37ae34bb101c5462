import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwner, requireAccess } from '../files/owner.ts';
import { onStorage } from '../files/storage.ts';
import { StorageFailed } from '../files/storage-failed.ts';

/** Exit status of `flock` if another process holds the lock. */
const heldStatus = 75;

export type Lock = { release(): void };

/** Whether to wait for a held lock, or the number of seconds to wait. */
export type Wait = boolean | { seconds: number };

/**
 * `descriptor` is the open file that holds the lock. A program that inherits it keeps the lock until the program ends.
 */
export type FileLock = Lock & { descriptor: number };

/**
 * Takes the kernel's lock (flock(2)) on a file, which is created if absent and never deleted. A file that root creates
 * belongs to the owner of its folder, whose service takes the same lock. With `wait` it waits for
 * its turn, or at most so many seconds. The result is `null` while another process holds the lock. On a file system that
 * is read-only, as a unit with `ProtectSystem=strict` sees other folders, a file that is there can be locked all the same.
 * Node has no call for flock(2), so the program `flock` of util-linux locks our open file, which it inherits. The lock
 * belongs to the open file: it remains after `flock` has ended, and the kernel releases it when this process ends.
 * Programs that we start do not inherit the file unless we pass it.
 */
export async function acquireLock(path: string, options: { wait: Wait }): Promise<FileLock | null> {
  let descriptor: number | null = null;
  try {
    descriptor = openLock(path);
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    giveToOwner(descriptor, dirname(path));
    if (await lockDescriptor(descriptor, options.wait)) return makeLock(descriptor);
    closeSync(descriptor);
    return null;
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    throw new Error(`cannot lock ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Like `acquireLock`, however long it takes. */
export async function waitForLock(path: string): Promise<FileLock> {
  const lock = await acquireLock(path, { wait: true });
  if (lock === null) throw new Error('the wait for the lock ended without it');
  return lock;
}

/** How long `inTurn` waits for another process. */
const turnSeconds = 60;

/** Runs work while no other process has the lock. Throws StorageFailed without it. */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const wait = { seconds: turnSeconds };
  const lock = await onStorage(`cannot take turns at ${file}`, () => acquireLock(file, { wait }));
  if (lock === null) throw new StorageFailed(`other work has held ${file} for a minute: try again when it has ended`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function openLock(path: string): number {
  const { O_RDWR, O_RDONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    requireAccess(path, constants.R_OK | constants.W_OK);
    return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  }
}

function makeLock(descriptor: number): FileLock {
  let held = true;
  return {
    descriptor,
    release() {
      if (!held) return; // After a second close the number could belong to another file.
      held = false;
      closeSync(descriptor);
    },
  };
}

function lockDescriptor(descriptor: number, wait: Wait): Promise<boolean> {
  const args = [...waitArguments(wait), '--conflict-exit-code', String(heldStatus), '3'];
  return new Promise((resolve, reject) => {
    // The file is inherited as descriptor 3. The program has its own process group, so that signals to our group do
    // not end the wait.
    const child = spawn('flock', args, {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
      detached: true,
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      reject(missing ? new Error('the program flock (util-linux) is not on PATH', { cause: error }) : error);
    });
    child.on('close', (status, signal) => {
      if (status === 0) resolve(true);
      else if (status === heldStatus) resolve(false);
      else reject(new Error(`flock ended with ${signal ?? `status ${status}`}`));
    });
  });
}

function waitArguments(wait: Wait): string[] {
  if (wait === true) return [];
  return wait === false ? ['--nonblock'] : ['--timeout', String(wait.seconds)];
}
