import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Exit status of `flock` if another process holds the lock. */
const heldStatus = 75;

export type Lock = { release(): void };

/** Whether, or for how long, somebody waits for a lock. */
export type Wait = boolean | { seconds: number };

/**
 * `descriptor` is the open file that holds the lock, to be read and written: a program that inherits it keeps the lock
 * until it ends, too.
 */
export type FileLock = Lock & { descriptor: number };

/**
 * Takes the kernel's lock (flock(2)) on a file, which is made if it is not there and never deleted. With `wait`
 * it waits its turn, or at most so many seconds; the answer is null while somebody else holds the lock.
 *
 * Node has no call for flock(2), so `flock` of util-linux locks our own open file, which it inherits. The lock
 * belongs to that open file and not to the process that asked for it: it stays with us after `flock` ended, and
 * the kernel lifts it when we die. Programs that we start do not inherit the file unless they are given it.
 */
export async function acquireLock(path: string, options: { wait: Wait }): Promise<FileLock | null> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    if (!(await lockDescriptor(descriptor, options.wait))) {
      closeSync(descriptor);
      return null;
    }
  } catch (error) {
    closeSync(descriptor);
    throw new Error(`cannot lock ${path}: ${(error as Error).message}`, { cause: error });
  }
  return makeLock(descriptor);
}

function makeLock(descriptor: number): FileLock {
  let held = true;
  return {
    descriptor,
    release() {
      if (!held) return; // A descriptor closed twice could by then be somebody else's file.
      held = false;
      closeSync(descriptor);
    },
  };
}

function lockDescriptor(descriptor: number, wait: Wait): Promise<boolean> {
  const args = [...waitArguments(wait), '--conflict-exit-code', String(heldStatus), '3'];
  return new Promise((resolve, reject) => {
    // The file is inherited as its descriptor 3. In a process group of its own: a signal to ours does not end the wait.
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
