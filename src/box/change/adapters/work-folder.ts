import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeAppsFolder } from '../../../lib/files/make-folders.ts';
import { storageFailed } from '../../../lib/files/storage.ts';
import { innerWorkFolder } from '../../adapters/files/app-folders.ts';

export const stagingPrefix = 'install-';

/**
 * A folder on the file system of the installed apps, so that a rename between them is one step: `.boxgate-NAME` beside
 * them, or `.boxgate` inside if that is impossible. It is made when needed and removed when empty.
 */
export type WorkFolder = {
  /** Possible paths, the preferred one first. */
  places: readonly string[];
  open(): string;
  close(): void;
};

/** Has the prefix of a staging folder, and is swept like one. */
const probeFolder = `${stagingPrefix}probe`;

export function makeWorkFolder(installedApps: string): WorkFolder {
  const apps = resolve(installedApps);
  const beside = join(dirname(apps), `.boxgate-${basename(apps)}`);
  const inside = join(apps, innerWorkFolder);

  return {
    places: [beside, inside],
    open() {
      try {
        makeAppsFolder(apps);
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

/**
 * Whether a rename from there reaches the apps. Two mounts of one file system have the same device number, but no
 * rename leads from one to the other.
 */
function isUsable(folder: string, apps: string, inside: string): boolean {
  try {
    makeFolder(folder);
    if (statSync(folder).dev === statSync(apps).dev && reaches(folder, inside)) return true;
  } catch {
    // The folder among the apps is tried next, and a failure there is reported.
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
    return false; // The rename of an app would fail in the same way.
  }
}

/** Without `recursive`, for which Node reports a read-only disk as an absent directory. */
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
    // The folder does not exist or is not empty.
  }
}
