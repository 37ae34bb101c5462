/**
 * Operations of the stores are generators: an operation yields one statement, receives its rows, and returns its result.
 * It runs in one transaction and has no other effects. So the same operation runs synchronously on SQLite and through
 * promises on PostgreSQL, and can be repeated after a conflict.
 *
 * The SQL is the same for both: parameters are `$1`, `$2` …, and column names in mixed case are quoted.
 */
export type Statement = {
  sql: string;
  params: readonly Value[];
  /** Locks the rows until the end of the transaction. SQLite has one writer at a time anyway. */
  locks?: true;
};

export type Value = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

export type Operation<Result> = Generator<Statement, Result, readonly Row[]>;

/** Runs a statement. `Shape` is the caller's claim about its columns. */
export function* query<Shape>(sql: string, ...params: Value[]): Operation<readonly Shape[]> {
  return (yield { sql, params }) as readonly Shape[];
}

/** The first row; `null` without one. */
export function* queryOne<Shape>(sql: string, ...params: Value[]): Operation<Shape | null> {
  const rows = yield* query<Shape>(sql, ...params);
  return rows[0] ?? null;
}

/** Like `queryOne` for a plain SELECT, and locks the row until the end of the transaction. */
export function* lockOne<Shape>(sql: string, ...params: Value[]): Operation<Shape | null> {
  const rows = (yield { sql, params, locks: true }) as readonly Shape[];
  return rows[0] ?? null;
}

/** Whether a statement returns any row. A changing statement needs RETURNING. */
export function* happens(sql: string, ...params: Value[]): Operation<boolean> {
  const rows = yield { sql, params };
  return rows.length > 0;
}
