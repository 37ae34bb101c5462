import type { Operation, Row, Statement } from '../statement.ts';

/** A SQLite database that answers at once. Whatever goes wrong with it is a StoreFailed. */
export type SqliteDatabase = {
  all(sql: string, params: Statement['params']): readonly Row[];
  close(): void;
};

/** Values by the names that `$1`, `$2` … are to SQLite. */
export function toNamed(params: Statement['params']): Record<string, Statement['params'][number]> {
  return Object.fromEntries(params.map((value, index) => [`$${index + 1}`, value]));
}

/** Each text is prepared once and kept: the texts are those of the operations, so they are few. */
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

/** Runs an operation to its end; the caller says in which transaction. */
export function run<Result>(database: SqliteDatabase, operation: Operation<Result>): Result {
  let step = operation.next([]);
  while (step.done !== true) step = operation.next(database.all(step.value.sql, step.value.params));
  return step.value;
}

/** Runs an operation in a transaction that keeps every other writer out. */
export function runAlone<Result>(database: SqliteDatabase, operation: Operation<Result>): Result {
  database.all('BEGIN IMMEDIATE', []);
  try {
    const result = run(database, operation);
    database.all('COMMIT', []);
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** After some faults SQLite has rolled back by itself: that there is nothing to roll back is no second fault. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.all('ROLLBACK', []);
  } catch {}
}
