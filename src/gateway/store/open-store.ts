import type { StoreAddress } from '../gateway-settings.ts';
import { type Store, StoreFailed, type StoreView } from '../ports.ts';
import { identify } from './schema.ts';
import { readingMethods, type WholeStore } from './store-methods.ts';

/**
 * Opens the store for reading and writing. Loads only the driver of this kind of store.
 * @param isUndone - whether an update whose version migrated the store is being rolled back to this one
 */
export async function openStore(address: StoreAddress, isUndone?: () => Promise<boolean>): Promise<Store> {
  switch (address.kind) {
    case 'memory':
      return (await import('./sqlite/memory.ts')).openMemoryStore();
    case 'file':
      return (await import('./sqlite/file.ts')).openFileStore(address.path, isUndone);
    case 'postgres':
      return (await import('./postgres/postgres.ts')).openPostgresStore(address.url);
  }
}

/** Opens the store for reading. The gateway may be running. */
export async function viewStore(address: StoreAddress): Promise<StoreView> {
  const { transact, close, ...reading } = await openWhole(address, 'shared');
  try {
    const identity = await transact(() => identify(reading.dialect));
    return { ...readingMethods(reading, identity), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens an existing store as a whole. `shared`: for reading, in one consistent state, while the gateway may be running.
 * `idle`: throws StoreFailed if a gateway works on it, and none can start on it until `close`.
 */
export async function openWhole(address: StoreAddress, use: 'shared' | 'idle'): Promise<WholeStore> {
  switch (address.kind) {
    case 'memory':
      throw new StoreFailed('a store in memory can be read by its own gateway only');
    case 'file':
      return (await import('./sqlite/file.ts')).openWholeFile(address.path, use);
    case 'postgres':
      return (await import('./postgres/postgres.ts')).openWholePostgres(address.url, use);
  }
}
