import { randomBytes } from 'node:crypto';
import { rmdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeAppsFolder } from '../../../lib/files/make-folders.ts';
import { lstatIfThere, namesIn, onStorage } from '../../../lib/files/storage.ts';
import { syncDirectory } from '../../../lib/files/write-file.ts';
import { StorageFailed } from '../../core.ts';
import type { Trash, TrashEntry } from '../ports.ts';
import type { InstallDirectories } from './install-files.ts';
import type { WorkFolder } from './work-folder.ts';

/** The suffix of a folder that is being erased. */
const condemned = '.erase';
const folderName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{8}$/;

/**
 * Removed apps: one folder each, named by the time of the removal, with the app's directory in it. No file is written,
 * so an app can be removed from a full disk. The trash lies in the state directory if a rename reaches it from there,
 * else in the work folder. An empty folder is left by a removal that was interrupted before the move.
 */
export function makeTrash(directories: InstallDirectories, work: WorkFolder, now: () => Date): Trash {
  const installed = resolve(directories.installed);
  const places = trashPlaces(directories, work);
  const find = (id: string) => {
    const folder = folders(places).find((one) => basename(one) === id);
    if (folder === undefined) throw new StorageFailed(`there is no removed app ${id}`);
    return folder;
  };

  return {
    put: (name) =>
      onStorage(`cannot remove ${join(installed, name)}`, async () => {
        const folder = await moveAside(join(installed, name), newId(now()), directories, work);
        await syncDirectory(folder);
        await syncDirectory(installed);
        return entryOf(folder, name);
      }),
    list: () => folders(places).flatMap(readEntry).sort(oldestFirst),
    restore: (id) =>
      onStorage(`cannot restore ${id}`, async () => {
        const folder = find(id);
        const [{ name } = { name: '' }] = readEntry(folder);
        const target = join(installed, name);
        if (lstatIfThere(target) !== null) throw new StorageFailed(`${target} is there already`);
        makeAppsFolder(installed);
        await rename(join(folder, name), target);
        await syncDirectory(installed);
        await rmdir(folder);
        tidy(work);
      }),
    condemn: (id) => onStorage(`cannot erase the removed app ${id}`, () => rename(find(id), `${find(id)}${condemned}`)),
    eraseCondemned: () =>
      onStorage('cannot erase removed apps', async () => {
        const isCondemned = (name: string) => name.endsWith(condemned);
        const found = places.flatMap((place) => pathsIn(place, isCondemned));
        for (const folder of found) await rm(folder, { recursive: true });
        return found.length > 0;
      }),
    tidy: () => tidy(work),
  };
}

/** The empty folders of interrupted removals. */
export function unfinishedRemovals(directories: InstallDirectories, work: WorkFolder): string[] {
  return folders(trashPlaces(directories, work)).filter((folder) => namesIn(folder).length === 0);
}

export function trashPlaces({ state }: InstallDirectories, work: WorkFolder): string[] {
  return [join(resolve(state), 'trash'), join(work.path, 'trash')];
}

/** Moves into the state directory if a rename reaches it, else into the work folder. */
async function moveAside(
  app: string,
  id: string,
  { installed, state }: InstallDirectories,
  work: WorkFolder,
): Promise<string> {
  if (statSync(resolve(state)).dev === statSync(installed).dev) {
    try {
      return await moveInto(join(resolve(state), 'trash'), id, app);
    } catch (error) {
      // Two mounts of one file system have the same device number, but no rename leads from one to the other.
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    }
  }
  return moveInto(join(work.open(), 'trash'), id, app);
}

async function moveInto(trash: string, id: string, app: string): Promise<string> {
  const folder = join(trash, id);
  await mkdir(trash, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 });
  try {
    await rename(app, join(folder, basename(app)));
  } catch (error) {
    await rmdir(folder);
    throw error;
  }
  return folder;
}

function tidy(work: WorkFolder): void {
  const trash = join(work.path, 'trash');
  if (lstatIfThere(trash) !== null && namesIn(trash).length === 0) rmdirSync(trash);
  work.close();
}

/** Other folders there may belong to the owner. */
function folders(places: readonly string[]): string[] {
  return places.flatMap((place) => pathsIn(place, (name) => folderName.test(name)));
}

function pathsIn(place: string, isWanted: (name: string) => boolean): string[] {
  return namesIn(place)
    .filter(isWanted)
    .map((name) => join(place, name));
}

function readEntry(folder: string): TrashEntry[] {
  return namesIn(folder)
    .slice(0, 1)
    .map((name) => entryOf(folder, name));
}

function entryOf(folder: string, name: string): TrashEntry {
  const id = basename(folder);
  const [, ...parts] = folderName.exec(id) ?? [];
  const [year, month, ...rest] = parts.map(Number);
  return { id, name, removedAt: new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, ...rest)) };
}

function oldestFirst(a: TrashEntry, b: TrashEntry): number {
  return a.removedAt.getTime() - b.removedAt.getTime() || (a.id < b.id ? -1 : 1);
}

function newId(now: Date): string {
  return `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
}
