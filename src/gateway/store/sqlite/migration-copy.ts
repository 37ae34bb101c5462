import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, syncFile } from '../../../lib/files/write-file.ts';
import { StoreFailed } from '../../ports.ts';
import { makeFileLike } from './file-like.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Path of the copy made before a migration from this schema version. */
function migrationCopy(path: string, version: number): string {
  return `${path}.schema-${version}`;
}

/**
 * Makes a durable copy of a store before its migration, for a return to the previous version of boxgate. The caller holds
 * the store's lock. choice/gateway/391
 */
export async function copyBeforeMigration(database: SqliteDatabase, path: string, version: number): Promise<void> {
  const copy = migrationCopy(path, version);
  const incoming = `${copy}.new`;
  try {
    await rm(incoming, { force: true });
    makeFileLike(incoming, 'wx', path); // SQLite writes into an empty file and keeps its mode.
    database.all('VACUUM INTO $1', [incoming]);
    await syncFile(incoming);
    await rename(incoming, copy);
    await syncDirectory(dirname(copy));
  } catch (error) {
    await rm(incoming, { force: true }).catch(() => undefined);
    throw new StoreFailed(`the store at ${path} cannot be copied before it is migrated: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Replaces a migrated store by the copy made before its migration, and closes the database. False if there is no copy.
 * The caller holds the store's lock. choice/gateway/391
 */
export async function putBackCopy(database: SqliteDatabase, path: string, version: number): Promise<boolean> {
  const copy = migrationCopy(path, version);
  if (!existsSync(copy)) return false;
  // Removes the write-ahead log, which SQLite would otherwise apply to the copy.
  const [row] = database.all('PRAGMA journal_mode = DELETE', []);
  if (row?.journal_mode !== 'delete') {
    throw new StoreFailed(`the copy ${copy} cannot be put back: another program has the store open`);
  }
  database.close();
  await rename(copy, path);
  await syncDirectory(dirname(path));
  return true;
}
