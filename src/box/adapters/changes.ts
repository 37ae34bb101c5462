import { join, resolve } from 'node:path';
import { acquireLock, type FileLock } from '../../lib/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../ports.ts';
import { onStorage } from './storage.ts';

/** A change holds up to a whole request body while it waits. choice/box/161 */
const maxChanges = 100;

/**
 * Changes queue within this process; across processes the kernel's lock on a file of the state directory decides.
 * `lockFile` is that open file while a change runs: what the change starts inherits it, so that the next server
 * waits for it should this one be killed.
 * choice/box/126, choice/box/128
 */
export function makeChanges(stateDirectory: string): Changes & { lockFile(): number | undefined } {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  let lock: FileLock | null = null;
  return {
    lockFile: () => lock?.descriptor,
    run: (change) =>
      queue(async () => {
        lock = await onStorage('cannot begin a change', () => acquireLock(path, { wait: true }));
        try {
          return await change();
        } finally {
          lock?.release();
          lock = null;
        }
      }).catch((error: unknown) => {
        if (error instanceof QueueFull) throw new TooManyChanges();
        throw error;
      }),
  };
}
