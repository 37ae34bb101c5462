/**
 * What the rules of the stores are written in. An operation is a generator: it yields one statement, is given the
 * rows that came of it, and returns its result. It runs in one transaction and touches nothing else, so that the
 * same rules run at once on SQLite and through promises on PostgreSQL, and may be begun anew after a conflict.
 *
 * The text of a statement is the same on both: `$1` for what is filled in, RETURNING for what was changed, column
 * names that need quotes in them.
 */
export type Statement = {
  sql: string;
  params: readonly Value[];
  /** The rows are this transaction's until it ends. SQLite has one writer at a time anyhow. */
  locks?: true;
};

export type Value = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

export type Operation<Result> = Generator<Statement, Result, readonly Row[]>;

/** Runs a statement; the caller knows what its own text selects. */
export function* query<Shape>(sql: string, ...params: Value[]): Operation<readonly Shape[]> {
  return (yield { sql, params }) as readonly Shape[];
}

/** The first row, or null when there is none. */
export function* queryOne<Shape>(sql: string, ...params: Value[]): Operation<Shape | null> {
  const rows = yield* query<Shape>(sql, ...params);
  return rows[0] ?? null;
}

/** The first row, which nobody else changes before this transaction ends. The statement is a plain SELECT. */
export function* lockOne<Shape>(sql: string, ...params: Value[]): Operation<Shape | null> {
  const rows = (yield { sql, params, locks: true }) as readonly Shape[];
  return rows[0] ?? null;
}

/** Whether a statement that ends in RETURNING changed anything, or a SELECT found anything. */
export function* happens(sql: string, ...params: Value[]): Operation<boolean> {
  const rows = yield { sql, params };
  return rows.length > 0;
}
