import { mkdirSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeAppsFolder } from '../../../lib/files/make-folders.ts';
import { storageFailed } from '../../../lib/files/storage.ts';

export const stagingPrefix = 'install-';

/**
 * The folder `.boxgate` among the installed apps, from which a rename reaches them in one step, also where they are a
 * disk of their own. It is made when needed and removed when empty.
 */
export type WorkFolder = {
  path: string;
  open(): string;
  close(): void;
};

export function makeWorkFolder(installedApps: string): WorkFolder {
  const apps = resolve(installedApps);
  const path = join(apps, '.boxgate');
  return {
    path,
    open() {
      try {
        makeAppsFolder(apps);
        makeFolder(path);
        return path;
      } catch (error) {
        throw storageFailed(`cannot write in ${apps}`, error);
      }
    },
    close() {
      try {
        rmdirSync(path);
      } catch {
        // The folder does not exist or is not empty.
      }
    },
  };
}

/** Without `recursive`, for which Node reports a read-only disk as an absent directory. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
