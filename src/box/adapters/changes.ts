import { join, resolve } from 'node:path';
import { acquireLock } from '../../lib/lock.ts';
import { makeQueue } from '../../lib/queue.ts';
import type { Changes } from '../ports.ts';
import { onStorage } from './storage.ts';

/** Changes queue within this process; across processes the kernel's lock on a file of the state directory decides. */
export function makeChanges(stateDirectory: string): Changes {
  const queue = makeQueue();
  const path = join(resolve(stateDirectory), 'change.lock');
  return {
    run: (change) =>
      queue(async () => {
        const lock = await onStorage('cannot begin a change', () => acquireLock(path, { wait: true }));
        try {
          return await change();
        } finally {
          lock?.release();
        }
      }),
  };
}
