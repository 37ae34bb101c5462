import { dirname } from 'node:path';
import { syncDirectory } from '../../lib/files/write-file.ts';
import type { StoreAddress } from '../gateway-settings.ts';
import { StoreFailed } from '../ports.ts';
import { type Dialect, postgres, sqlite } from './schema.ts';
import type { Operation } from './statement.ts';

/** A store as a whole, for a copy of all its rows. */
export type WholeStore = {
  dialect: Dialect;
  transact<Result>(operation: () => Operation<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** Opens an existing store for reading, in one consistent state. The gateway may be running. */
export function openWhole(address: StoreAddress): Promise<WholeStore> {
  return open(address, 'shared');
}

/**
 * Opens an existing store that no gateway works on. None can start on it until `close`. Throws StoreFailed if one runs.
 */
export function openIdle(address: StoreAddress): Promise<WholeStore> {
  return open(address, 'idle');
}

/** Like `openIdle`, for a store that may not exist yet. */
export async function openTarget(address: StoreAddress): Promise<WholeStore> {
  if (address.kind === 'file') (await import('./sqlite/file.ts')).makePlace(address.path);
  const target = await open(address, 'idle');
  if (address.kind === 'file') await syncDirectory(dirname(address.path));
  return target;
}

async function open(address: StoreAddress, use: 'shared' | 'idle'): Promise<WholeStore> {
  switch (address.kind) {
    case 'memory':
      throw new StoreFailed('a store in memory can be read by its own gateway only');
    case 'file':
      return openFile(address.path, use);
    case 'postgres':
      return {
        dialect: postgres,
        ...(await (await import('./postgres/postgres.ts')).openWholePostgres(address.url, use)),
      };
  }
}

async function openFile(path: string, use: 'shared' | 'idle'): Promise<WholeStore> {
  const [{ requireStore, takeLock }, { openSqlite, runAlone }] = await Promise.all([
    import('./sqlite/file.ts'),
    import('./sqlite/sqlite-database.ts'),
  ]);
  requireStore(path, use === 'idle' ? 'write' : 'read');
  const lock = use === 'idle' ? takeLock(path) : null;
  try {
    const database = openSqlite(path, { readOnly: use === 'shared' });
    return {
      dialect: sqlite,
      transact: async (operation) => runAlone(database, operation(), use === 'idle' ? 'BEGIN IMMEDIATE' : 'BEGIN'),
      async close() {
        database.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
