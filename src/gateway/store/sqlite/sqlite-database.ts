import type { Operation, Row, Statement } from '../statement.ts';

/** A synchronous SQLite database. Throws StoreFailed. */
export type SqliteDatabase = {
  all(sql: string, params: Statement['params']): readonly Row[];
  close(): void;
};

/** SQLite takes `$1`, `$2` … as names of parameters. */
export function toNamed(params: Statement['params']): Record<string, Statement['params'][number]> {
  return Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value]));
}

/** Caches prepared statements. There are few, because the operations have constant SQL. */
export function prepareOnce<Prepared>(prepare: (sql: string) => Prepared): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>();
  return (sql) => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const prepared = prepare(sql);
    kept.set(sql, prepared);
    return prepared;
  };
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
