import { join } from 'node:path';
import { onStorage } from '../../lib/files/storage.ts';
import { acquireLock } from '../../lib/process/lock.ts';
import type { ChangeLock } from '../updater-ports.ts';

/** The lock that the box holds while it changes an app. choice/box/365 */
export function makeChangeLock(stateDir: string): ChangeLock {
  return {
    lock: (seconds) =>
      onStorage('cannot wait for the change of an app', () =>
        acquireLock(join(stateDir, 'change.lock'), { wait: { seconds } }),
      ),
  };
}

/** The lock for a program that changes no apps. */
export const noChanges: ChangeLock = { lock: async () => ({ release() {} }) };
