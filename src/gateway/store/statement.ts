/**
 * Operations of the stores are generators: an operation yields one statement, receives its rows, and returns its result.
 * It runs in one transaction and has no other effects. So the same operation runs synchronously on SQLite and through
 * promises on PostgreSQL, and can be repeated after a conflict.
 *
 * The SQL is the same for both: parameters are `$1`, `$2` …, as `sql` makes them, and column names in mixed case are
 * quoted.
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

/**
 * The statement of a template. Its values become parameters; a statement without parameters, such as a list of columns,
 * becomes a part of the text.
 */
export function sql(texts: TemplateStringsArray, ...values: readonly (Value | Statement)[]): Statement {
  const params: Value[] = [];
  const places = values.map((value) => {
    if (value !== null && typeof value === 'object' && 'sql' in value) return value.sql;
    params.push(value);
    return `$${params.length}`;
  });
  return { sql: String.raw({ raw: texts }, ...places), params };
}

/** Runs a statement. `Shape` is the caller's claim about its columns. */
export function* query<Shape>(statement: Statement): Operation<readonly Shape[]> {
  return (yield statement) as readonly Shape[];
}

/** The first row; `null` without one. */
export function* queryOne<Shape>(statement: Statement): Operation<Shape | null> {
  const rows = yield* query<Shape>(statement);
  return rows[0] ?? null;
}

/** Like `queryOne` for a plain SELECT, and locks the row until the end of the transaction. */
export function lockOne<Shape>(statement: Statement): Operation<Shape | null> {
  return queryOne<Shape>({ ...statement, locks: true });
}

/** Whether a statement returns any row. A changing statement needs RETURNING. */
export function* happens(statement: Statement): Operation<boolean> {
  return (yield statement).length > 0;
}
