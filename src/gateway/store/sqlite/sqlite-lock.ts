import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/**
 * Takes the lock that a file stands for, or answers null while another process has it. The file is an empty database:
 * SQLite asks the kernel for the lock itself, where flock(2) needs a program to be started, which is most of a start.
 * The kernel lifts it when the process dies.
 */
export function acquireSqliteLock(path: string): { release(): void } | null {
  // Made here for its mode. One that is there is never opened beside SQLite: closing it would lift the lock.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === busy) return null;
    throw error;
  }
  return { release: () => database.close() };
}
