import { DatabaseSync } from 'node:sqlite';
import { StoreFailed } from '../../ports.ts';
import { prepareOnce, type SqliteDatabase, toNamed } from './sqlite-database.ts';

/** A wait for another program blocks the process. Only an operator's own SQLite session causes one. */
const busyMs = 1_000;

/** Opens a SQLite file by Node's own driver. A commit is durable when it returns. */
export function openSqliteFile(path: string, { readOnly }: { readOnly: boolean }): SqliteDatabase {
  function failed(error: unknown): StoreFailed {
    return new StoreFailed(`the store at ${path} failed: ${(error as Error).message}`, { cause: error });
  }

  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: busyMs });
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
