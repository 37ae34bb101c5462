import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { acquireLock, type FileLock } from '../../lib/lock.ts';
import { syncDirectory } from '../../lib/write-file.ts';
import { type Store, StoreFailed, type StoreView } from '../ports.ts';
import { newIdentity } from './identity.ts';
import { identify, migrate, sqlite } from './schema.ts';
import { prepareOnce, run, runAlone, type SqliteDatabase, toNamed } from './sqlite-database.ts';
import { makeSqliteStore, makeSqliteView } from './sqlite-store.ts';

/**
 * The store in one file on disk. It belongs to one process, by a lock of the kernel that dies with it. Every change
 * is on the disk when it is answered.
 */
export async function openFileStore(path: string): Promise<Store> {
  const isNew = !existsSync(path);
  makePlace(path);
  const lock = await takeLock(path);
  try {
    const database = openDatabase(path, { readOnly: false });
    const identity = runAlone(database, migrate(sqlite, newIdentity()));
    if (isNew) await syncDirectory(dirname(path));
    return makeSqliteStore(database, identity, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Looks at a store that the gateway may be working on at this moment, without its lock. */
export async function viewFileStore(path: string): Promise<StoreView> {
  if (!existsSync(path)) throw new StoreFailed(`there is no store at ${path}`);
  const database = openDatabase(path, { readOnly: true });
  return makeSqliteView(database, run(database, identify(sqlite)));
}

/** Only the owner reads it; SQLite gives the mode of the database to the files that it makes beside it. */
function makePlace(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw new StoreFailed(`cannot open the store at ${path}: ${(error as Error).message}`, { cause: error });
  }
}

async function takeLock(path: string): Promise<FileLock> {
  const lock = await acquireLock(`${path}.lock`, { wait: false });
  if (lock === null) throw new StoreFailed(`another process works on the store at ${path}`);
  return lock;
}

function openDatabase(path: string, { readOnly }: { readOnly: boolean }): SqliteDatabase {
  function failed(error: unknown): StoreFailed {
    return new StoreFailed(`the store at ${path} failed: ${(error as Error).message}`, { cause: error });
  }

  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: 5_000 });
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  } catch (error) {
    throw failed(error);
  }
  const prepared = prepareOnce((sql) => database.prepare(sql));
  return {
    all(sql, params) {
      try {
        return prepared(sql).all(toNamed(params));
      } catch (error) {
        throw failed(error);
      }
    },
    close() {
      database.close();
    },
  };
}
