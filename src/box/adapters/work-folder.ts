import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { innerWorkFolder } from './app-folders.ts';
import { storageFailed } from './storage.ts';

/**
 * A folder of ours on the file system of the installed apps, so that a rename from it and into it is one step:
 * `.boxgate-NAME` beside them, or where that cannot be, `.boxgate` among them. It is made when needed and taken away
 * when empty.
 */
export type WorkFolder = {
  /** Where it can lie, the likelier first. */
  places: readonly string[];
  /** Makes it and says where it is. */
  open(): string;
  /** Takes it away when nothing is left in it. */
  close(): void;
};

export function makeWorkFolder(installedApps: string): WorkFolder {
  const apps = resolve(installedApps);
  const beside = join(dirname(apps), `.boxgate-${basename(apps)}`);
  const inside = join(apps, innerWorkFolder);

  return {
    places: [beside, inside],
    open() {
      try {
        mkdirSync(apps, { recursive: true, mode: 0o755 });
        if (isUsable(beside, apps)) return beside;
        makeFolder(inside);
        return inside;
      } catch (error) {
        throw storageFailed(`cannot write in ${apps}`, error);
      }
    },
    close() {
      for (const place of [beside, inside]) removeEmpty(place);
    },
  };
}

function isUsable(folder: string, apps: string): boolean {
  try {
    makeFolder(folder);
    const stats = statSync(folder);
    if (stats.isDirectory() && stats.dev === statSync(apps).dev) return true;
    removeEmpty(folder);
    return false;
  } catch {
    return false; // Not ours to write in: the place among the apps is tried next, and its failure is told.
  }
}

/** Not with parents: for those Node reports a read-only disk as an absent directory. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not there, or something is still in it: both are as they should be.
  }
}
