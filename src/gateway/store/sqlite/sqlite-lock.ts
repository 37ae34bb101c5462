import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFileLike } from './file-like.ts';

const busy = 5;

/**
 * Takes a lock; `null` if another process holds it. The file is an empty database that SQLite locks: Node has no flock(2),
 * and starting the program `flock` would take most of a start. The kernel releases the lock when the process ends.
 * @param like - the file whose owner gets a new lock file
 */
export function acquireSqliteLock(path: string, like = dirname(path)): { release(): void } | null {
  // Sets the mode of a new file. An existing one must not be opened here: closing it would release SQLite's lock.
  if (!existsSync(path)) makeFileLike(path, 'a', like);
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
