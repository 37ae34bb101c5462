/** The ports of the owner's own apps: each was pasted as a Compose file, and is a folder of the owner's catalogue. */

import type { CatalogueDirectory } from '../app-files/catalogue-check.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { AppFiles } from '../rules/translate/translation.ts';

/** The files of an own app. `folders` are made empty and open to the users of all containers. */
export type OwnApp = { name: string; files: AppFiles; pasted: string; folders: readonly string[] };

export type OwnAppsPorts = {
  /** The folder of own apps; `null` if none is set. */
  folder: string | null;
  /** Where an app is while it is checked. */
  checked: CatalogueDirectory;
  list(): string[];
  isPasted(directory: string): boolean;
  /** Runs work while no other process checks or keeps an app. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the app below `checked` for the time of the work, which can give it an `.env`. */
  withFiles<T>(app: OwnApp, work: (writeEnv: (text: string) => Promise<string>) => Promise<T>): Promise<T>;
  /** Writes the app into the folder. Replaces the same files of an app that was pasted before, and leaves all others. */
  keep(app: OwnApp): Promise<void>;
  remove(name: string): Promise<void>;
};

export type OwnAppsBox = AppsBox & { ownApps: OwnAppsPorts };
