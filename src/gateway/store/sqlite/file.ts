import { chmodSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { requireAccess } from '../../../lib/files/owner.ts';
import { syncDirectory } from '../../../lib/files/write-file.ts';
import { type Store, StoreFailed } from '../../ports.ts';
import { type Migration, migrate, migrations, schemaVersion, sqlite } from '../schema.ts';
import type { WholeStore } from '../store-methods.ts';
import { makeFileLike } from './file-like.ts';
import { copyBeforeMigration, putBackCopy } from './migration-copy.ts';
import { openSqlite, run, runAlone, type SqliteDatabase } from './sqlite-database.ts';
import { acquireSqliteLock } from './sqlite-lock.ts';
import { makeSqliteStore, readingOf } from './sqlite-store.ts';

/**
 * Opens the store in a file. A kernel lock, which ends with the process, gives the file to one process. A change is
 * durable when its promise resolves.
 * @param isUndone - whether an update whose version migrated the store is being rolled back to this one
 */
export async function openFileStore(
  path: string,
  isUndone: () => Promise<boolean> = async () => false,
  known: readonly Migration[] = migrations,
): Promise<Store> {
  const isNew = !existsSync(path);
  makePlace(path);
  const lock = takeLock(path);
  let database: SqliteDatabase | undefined;
  try {
    database = openSqlite(path);
    const version = run(database, schemaVersion(sqlite)) ?? known.length;
    const place = realpathSync(path); // If the path is a link, the copy is made beside the link's target.
    if (version < known.length) await copyBeforeMigration(database, place, version);
    if (version > known.length && (await isUndone()) && (await putBackCopy(database, place, known.length))) {
      database = openSqlite(path);
    }
    const identity = runAlone(database, migrate(sqlite, { known }));
    if (isNew) await syncDirectory(dirname(path));
    return makeSqliteStore(database, identity, () => lock.release());
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

/** With `shared`, for reading and without the lock. */
export function openWholeFile(path: string, use: 'shared' | 'idle'): WholeStore {
  const isIdle = use === 'idle';
  requireStore(path, isIdle ? 'write' : 'read');
  const lock = isIdle ? takeLock(path) : null;
  try {
    const database = openSqlite(path, { readOnly: !isIdle });
    return {
      ...readingOf(database),
      transact: async (operation) => runAlone(database, operation(), isIdle ? 'BEGIN IMMEDIATE' : 'BEGIN'),
      async close() {
        database.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * SQLite would wait at a named pipe, would write to a device, and does not name a file that it may not open. Only the
 * database itself may be a link.
 */
function refuseOddFiles(path: string, access: number): void {
  requireAccess(dirname(path), access);
  for (const end of ['', '-wal', '-shm', '-journal', '.lock']) {
    const look = end === '' ? statSync : lstatSync;
    const found = look(path + end, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new Error(`${path}${end} is not a regular file`);
    requireAccess(path + end, access);
  }
}

/** Throws StoreFailed if there is no store, or this user cannot open it. */
function requireStore(path: string, use: 'read' | 'write'): void {
  const access = use === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK;
  orCannotOpen(path, () => refuseOddFiles(path, access)); // In a closed folder every file seems absent.
  if (!existsSync(path)) throw new StoreFailed(`there is no store at ${path}`);
}

/** Readable only by its owner. SQLite creates its other files with the mode of the database. */
export function makePlace(path: string): void {
  orCannotOpen(path, () => {
    refuseOddFiles(path, constants.R_OK | constants.W_OK);
    makeFolders(dirname(path), 0o700);
    makeFileLike(path, 'a', existsSync(path) ? path : dirname(path));
    chmodSync(path, 0o600);
  });
}

function takeLock(path: string): { release(): void } {
  const lockFile = `${path}.lock`;
  const lock = orCannotOpen(lockFile, () => acquireSqliteLock(lockFile, path));
  if (lock === null) throw new StoreFailed(`another process works on the store at ${path}`);
  return lock;
}

function orCannotOpen<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    throw new StoreFailed(`cannot open the store at ${path}: ${(error as Error).message}`, { cause: error });
  }
}
