import { join, resolve } from 'node:path';
import { onStorage } from '../../lib/files/storage.ts';
import { acquireLock, type FileLock } from '../../lib/process/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../ports.ts';

/** A waiting change keeps its whole request body in memory. choice/box/161 */
const maxChanges = 100;

/**
 * Runs a command that changes containers or images. During a change the command inherits the lock's open file. If this
 * server is killed, the next one waits until the command has ended.
 */
export type Lend = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

/**
 * Changes queue within this process. Across processes they are serialized by the kernel's lock on a file of the state
 * directory.
 */
export function makeChanges(stateDirectory: string): Changes & { lend: Lend } {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  let held: FileLock | null = null;

  const takeLock = async () => {
    const lock = await acquireLock(path, { wait: true });
    if (lock === null) throw new Error('the wait for the lock ended without it');
    return lock;
  };

  return {
    waiting: queue.waiting,
    run: (change) =>
      queue(async () => {
        held = await onStorage('cannot begin a change', takeLock);
        try {
          return await change();
        } finally {
          held.release();
          held = null;
        }
      }).catch((error: unknown) => {
        if (error instanceof QueueFull) throw new TooManyChanges();
        throw error;
      }),
    lend: (command) => command(held?.descriptor),
  };
}
