import { onStorage } from '../files/storage.ts';
import { StorageFailed } from '../files/storage-failed.ts';
import { acquireLock } from './lock.ts';

/** How long to wait for another process. */
const seconds = 60;

/** Runs work while no other process has the lock. Throws StorageFailed without it. */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = await onStorage(`cannot take turns at ${file}`, () => acquireLock(file, { wait: { seconds } }));
  if (lock === null) throw new StorageFailed(`other work has held ${file} for a minute: try again when it has ended`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
