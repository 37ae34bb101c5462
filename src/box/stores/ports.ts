/**
 * The ports of the stores. A store is a public catalogue in the form of another product. Its apps are translated into a
 * folder of the state directory, which is one more catalogue folder for everything else.
 */

import type { AppsBox } from '../apps/ports.ts';
import type { AppFiles } from '../rules/translate/translation.ts';
import type { Store, StoreApp } from './rules/store.ts';
import type { StoreAddress } from './rules/store-address.ts';

/** A store that is being read. Links, submodules and devices are no files. */
export type OpenStore = {
  revision: string;
  paths: readonly string[];
  /** The files at these paths; `null` for one that has more than 256 kB or cannot be read. Throws StoreUnreadable. */
  read(paths: readonly string[]): Promise<Map<string, Uint8Array | null>>;
  close(): Promise<void>;
};

/**
 * The files of one offered app; `further` are the store's own, such as a picture, by their path in the app's folder.
 * `folders` are made empty.
 */
export type OfferedApp = {
  name: string;
  files: AppFiles;
  further: ReadonlyMap<string, Uint8Array>;
  folders: readonly string[];
};

export type StorePorts = {
  /** The stores in their order; empty without the file. Throws StorageFailed. */
  list(): Store[];
  /** Runs work while no other process reads or changes stores. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  save(stores: readonly Store[]): Promise<void>;
  hasDevice(path: string): boolean;
  /** Throws StoreUnreadable with a sentence for the owner. */
  open(address: StoreAddress): Promise<OpenStore>;
  /** Writes a copy of a store beside the others and returns its folder. Nothing uses it before it is in the list. */
  write(name: string, apps: Iterable<OfferedApp>, report: readonly StoreApp[]): Promise<string>;
  report(copy: string): StoreApp[];
  /** Deletes all copies but those in the list. */
  sweep(): Promise<void>;
};

/** `version`: that of boxgate, because a newer one may translate better. */
export type StoresBox = AppsBox & { stores: StorePorts; version: string };

/** A store cannot be read. The message is a sentence for the owner. */
export class StoreUnreadable extends Error {
  override readonly name = 'StoreUnreadable';
}

/** Stores that the console offers by name. */
export const publicStores = [
  { name: 'casaos', title: 'CasaOS', address: 'https://github.com/IceWhaleTech/CasaOS-AppStore' },
  { name: 'runtipi', title: 'Runtipi', address: 'https://github.com/runtipi/runtipi-appstore' },
] as const;

export type { Store, StoreApp };
