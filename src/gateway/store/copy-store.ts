import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../../lib/files/write-file.ts';
import { ignore } from '../../lib/ignore.ts';
import type { StoreAddress } from '../gateway-settings.ts';
import { StoreFailed } from '../ports.ts';
import { openWhole } from './open-store.ts';
import { type Dialect, identify, migrate, schemaVersion, sqlite } from './schema.ts';
import { makePlace } from './sqlite/file.ts';
import { inMemory, openSqlite, runAlone } from './sqlite/sqlite-database.ts';
import { happens, type Operation, query, queryOne, type Statement, sql, type Value } from './statement.ts';
import type { WholeStore } from './store-methods.ts';

type Table = { name: string; columns: readonly string[] };
type Row = Readonly<Record<string, Value>>;
type Content = readonly { table: Table; rows: readonly Row[] }[];

/** The copied store: its id, and how many rows each table has. */
export type StoreCopy = { id: string; counts: Readonly<Record<string, number>> };

export function contentOf({ boxes = 0, routes = 0, ledger = 0 }: StoreCopy['counts']): string {
  return `boxes: ${boxes}, routes: ${routes}, pending peer deletions: ${ledger}`;
}

/** Copies all rows to an empty store, while no gateway runs on either. Errors name the end, not its address. */
export async function copyStore(from: StoreAddress, to: StoreAddress): Promise<StoreCopy> {
  const source = await at('from', openWhole(from, 'idle'));
  try {
    return await at('to', fillStore(to, await at('from', readStore(source)), 'empty'));
  } finally {
    await source.close();
  }
}

/** Copies a store, whose gateway may be running, to a new SQLite file. */
export async function saveStore(from: StoreAddress, path: string): Promise<StoreCopy> {
  const source = await openWhole(from, 'shared');
  try {
    return await fillStore({ kind: 'file', path }, await readStore(source), 'empty');
  } finally {
    await source.close();
  }
}

/** Replaces the content of a store that no gateway works on by that of a SQLite file, in one transaction. */
export async function loadStore(path: string, to: StoreAddress): Promise<StoreCopy> {
  const source = await openWhole({ kind: 'file', path }, 'idle');
  try {
    return await fillStore(to, await readStore(source), 'any');
  } finally {
    await source.close();
  }
}

/** Whether the store does not exist or has no tables. */
export async function isEmptyStore(address: StoreAddress): Promise<boolean> {
  if (address.kind === 'file' && !existsSync(address.path)) return true;
  const store = await openWhole(address, 'shared');
  try {
    return await store.transact(function* () {
      return (yield* schemaVersion(store.dialect)) === null;
    });
  } finally {
    await store.close();
  }
}

function readStore({ dialect, transact }: WholeStore): Promise<Content> {
  return transact(function* () {
    if (dialect.shared) yield* query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`);
    yield* identify(dialect); // Refuses other schema versions.
    const content: { table: Table; rows: readonly Row[] }[] = [];
    for (const table of storeTables()) {
      content.push({ table, rows: yield* query<Row>(plain(`SELECT ${table.columns.join(', ')} FROM ${table.name}`)) });
    }
    return content;
  });
}

async function fillStore(address: StoreAddress, content: Content, expected: 'empty' | 'any'): Promise<StoreCopy> {
  if (address.kind === 'file') makePlace(address.path);
  const target = await openWhole(address, 'idle');
  if (address.kind === 'file') await syncDirectory(dirname(address.path));
  try {
    return await target.transact(() => fill(target.dialect, content, expected));
  } finally {
    await target.close();
  }
}

function* fill(dialect: Dialect, content: Content, expected: 'empty' | 'any'): Operation<StoreCopy> {
  const isNew = (yield* schemaVersion(dialect)) === null;
  if (!isNew && expected === 'empty') yield* refuseContent(dialect, content);
  if (isNew) yield* migrate(dialect);
  else yield* identify(dialect);
  for (const { table } of content.toReversed()) yield* query(plain(`DELETE FROM ${table.name}`));
  for (const { table, rows } of content) for (const row of rows) yield* insert(table, row);
  const { id } = yield* identify(dialect);
  return { id, counts: Object.fromEntries(content.map(({ table, rows }) => [table.name, rows.length])) };
}

function* insert({ name, columns }: Table, row: Row): Operation<void> {
  const places = columns.map((_, index) => `$${index + 1}`);
  const values = columns.map((column) => row[column] ?? null);
  yield* query({ sql: `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places.join(', ')})`, params: values });
}

function* refuseContent(dialect: Dialect, content: Content): Operation<never> {
  const found: string[] = [];
  for (const { table } of content) {
    if (!(yield* happens(dialect.findTable(table.name)))) continue; // The table of a later schema.
    const { count = 0 } =
      (yield* queryOne<{ count: number }>(plain(`SELECT COUNT(*) AS count FROM ${table.name}`))) ?? {};
    found.push(`${table.name}: ${count}`);
  }
  throw new StoreFailed(`the store is not empty (rows of ${found.join(', ')}): choose a new file or an empty database`);
}

/** The tables of a SQLite store, parents before children. What PostgreSQL has besides is not copied. */
export function storeTables(): Table[] {
  const database = openSqlite(inMemory);
  try {
    return runAlone(database, tablesOfNewStore());
  } finally {
    database.close();
  }
}

function* tablesOfNewStore(): Operation<Table[]> {
  yield* migrate(sqlite);
  const tables = yield* query<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('schema_version') ORDER BY rowid`,
  );
  const found: Table[] = [];
  for (const { name } of tables) {
    const columns = yield* query<{ name: string }>(sql`SELECT name FROM pragma_table_info(${name})`);
    found.push({ name, columns: columns.map((column) => column.name) });
  }
  return found;
}

function plain(text: string): Statement {
  return { sql: text, params: [] };
}

function at<Result>(end: 'from' | 'to', work: Promise<Result>): Promise<Result> {
  const failed = ignore(StoreFailed, (error) => {
    throw new StoreFailed(`--${end}: ${error.message}`, { cause: error });
  });
  return work.catch(failed);
}
