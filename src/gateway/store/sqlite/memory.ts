import initSqlJs, { type Statement } from 'sql.js';
import { type Store, StoreFailed } from '../../ports.ts';
import { migrate, sqlite } from '../schema.ts';
import { runAlone, type SqliteDatabase, toNamed } from './sqlite-database.ts';
import { makeSqliteStore } from './sqlite-store.ts';

/** A store that is not durable, without a native build. */
export async function openMemoryStore(): Promise<Store> {
  const database = await openDatabase();
  return makeSqliteStore(database, runAlone(database, migrate(sqlite, { id: 'memory' })), () => undefined);
}

async function openDatabase(): Promise<SqliteDatabase> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.exec('PRAGMA foreign_keys = ON');
  const prepared = new Map<string, Statement>();
  return {
    all(sql, params) {
      try {
        const statement = prepared.get(sql) ?? database.prepare(sql);
        prepared.set(sql, statement);
        statement.bind(toNamed(params));
        const rows = [];
        while (statement.step()) rows.push(statement.getAsObject());
        statement.reset();
        return rows;
      } catch (error) {
        throw new StoreFailed(`the store in memory failed: ${(error as Error).message}`, { cause: error });
      }
    },
    close() {
      database.close();
    },
  };
}
