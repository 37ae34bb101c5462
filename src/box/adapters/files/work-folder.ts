import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { storageFailed } from '../../../lib/files/storage.ts';
import { innerWorkFolder } from './app-folders.ts';

export const stagingPrefix = 'install-';

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

/** Begins like a staging folder, and is swept like one. */
const probeFolder = `${stagingPrefix}probe`;

export function makeWorkFolder(installedApps: string): WorkFolder {
  const apps = resolve(installedApps);
  const beside = join(dirname(apps), `.boxgate-${basename(apps)}`);
  const inside = join(apps, innerWorkFolder);

  return {
    places: [beside, inside],
    open() {
      try {
        makeFolders(apps, 0o755);
        if (isUsable(beside, apps, inside)) return beside;
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

/** Whether a rename from there reaches the apps: two mounts of one file system look alike and are apart. */
function isUsable(folder: string, apps: string, inside: string): boolean {
  try {
    makeFolder(folder);
    if (statSync(folder).dev === statSync(apps).dev && reaches(folder, inside)) return true;
  } catch {
    // Not ours to write in: the place among the apps is tried next, and its failure is told.
  }
  removeEmpty(folder);
  return false;
}

function reaches(folder: string, inside: string): boolean {
  const probe = join(folder, probeFolder);
  makeFolder(probe);
  try {
    renameSync(probe, inside);
    rmdirSync(inside);
    return true;
  } catch {
    removeEmpty(probe);
    return false; // Whatever it was, a rename that counts would meet it too.
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
