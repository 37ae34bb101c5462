import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreFailed } from '../../ports.ts';
import type { Operation, Row, Statement } from '../statement.ts';

/** A synchronous SQLite database. Throws StoreFailed. */
export type SqliteDatabase = {
  all(sql: string, params: Statement['params']): readonly Row[];
  close(): void;
};

/** A wait for another program blocks the process. Only an operator's own SQLite session causes one. */
const busyMs = 1_000;

export const inMemory = ':memory:';

/** Opens a database by Node's own driver. A commit to a file is durable when it returns. */
export function openSqlite(path: string, { readOnly = false } = {}): SqliteDatabase {
  function failed(error: unknown): StoreFailed {
    const place = path === inMemory ? 'in memory' : `at ${path}`;
    return new StoreFailed(`the store ${place} failed: ${(error as Error).message}`, { cause: error });
  }

  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: busyMs });
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  } catch (error) {
    throw failed(error);
  }
  /** There are few, because the operations have constant SQL. */
  const prepared = new Map<string, StatementSync>();
  return {
    all(sql, params) {
      try {
        const statement = prepared.get(sql) ?? database.prepare(sql);
        prepared.set(sql, statement);
        return statement.all(toNamed(params));
      } catch (error) {
        throw failed(error);
      }
    },
    close() {
      database.close();
    },
  };
}

/** SQLite takes `$1`, `$2` … as names of parameters. */
export function toNamed(params: Statement['params']): Record<string, Statement['params'][number]> {
  return Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value]));
}

/** Runs an operation in the transaction of the caller. */
export function run<Result>(database: SqliteDatabase, operation: Operation<Result>): Result {
  let step = operation.next([]);
  while (step.done !== true) step = operation.next(database.all(step.value.sql, step.value.params));
  return step.value;
}

/** Runs an operation in an exclusive write transaction; with `BEGIN` in a transaction that only reads. */
export function runAlone<Result>(
  database: SqliteDatabase,
  operation: Operation<Result>,
  begin: 'BEGIN IMMEDIATE' | 'BEGIN' = 'BEGIN IMMEDIATE',
): Result {
  database.all(begin, []);
  try {
    const result = run(database, operation);
    database.all('COMMIT', []);
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ignores failures, because SQLite rolls back by itself after some errors. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.all('ROLLBACK', []);
  } catch {}
}
