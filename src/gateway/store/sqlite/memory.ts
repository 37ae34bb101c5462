import initSqlJs, { type Database, type Statement as SqlJsStatement } from 'sql.js';
import { type Store, StoreFailed } from '../../ports.ts';
import { newIdentity } from '../new-identity.ts';
import { migrate, sqlite } from '../schema.ts';
import type { Row } from '../statement.ts';
import { prepareOnce, runAlone, type SqliteDatabase, toNamed } from './sqlite-database.ts';
import { makeSqliteStore } from './sqlite-store.ts';

/** A store that is not durable, without a native build. */
export async function openMemoryStore(): Promise<Store> {
  const { Database } = await initSqlJs();
  const database = makeDatabase(new Database());
  const identity = runAlone(
    database,
    migrate(sqlite, () => ({ ...newIdentity(), id: 'memory' })),
  );
  return makeSqliteStore(database, identity, () => undefined);
}

function makeDatabase(sqlJs: Database): SqliteDatabase {
  sqlJs.exec('PRAGMA foreign_keys = ON');
  const prepared = prepareOnce((sql) => sqlJs.prepare(sql));
  return {
    all(sql, params) {
      try {
        return readAll(prepared(sql), toNamed(params));
      } catch (error) {
        throw new StoreFailed(`the store in memory failed: ${(error as Error).message}`, { cause: error });
      }
    },
    close() {
      sqlJs.close();
    },
  };
}

function readAll(statement: SqlJsStatement, values: ReturnType<typeof toNamed>): Row[] {
  try {
    statement.bind(values);
    const rows: Row[] = [];
    while (statement.step()) rows.push(statement.getAsObject());
    return rows;
  } finally {
    statement.reset();
  }
}
