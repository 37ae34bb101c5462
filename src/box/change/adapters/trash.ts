import { randomBytes } from 'node:crypto';
import { rmdirSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeAppsFolder } from '../../../lib/files/make-folders.ts';
import { lstatIfThere, namesIn, onStorage } from '../../../lib/files/storage.ts';
import { syncDirectory } from '../../../lib/files/write-file.ts';
import { StorageFailed } from '../../core.ts';
import type { Trash, TrashEntry } from '../ports.ts';
import type { WorkFolder } from './work-folder.ts';

/** The suffix of a folder that is being erased. */
const condemned = '.erase';
const folderName = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{8}$/;

/**
 * Removed apps, in the work folder: one folder each, named by the time of the removal, with the app's directory in it.
 * No file is written, so an app can be removed from a full disk. An empty folder is left by a removal that was
 * interrupted before the move.
 */
export function makeTrash(installedApps: string, work: WorkFolder, now: () => Date): Trash {
  const installed = resolve(installedApps);
  const trash = trashOf(work);
  const find = (id: string) => {
    const folder = folders(work).find((one) => basename(one) === id);
    if (folder === undefined) throw new StorageFailed(`there is no removed app ${id}`);
    return folder;
  };

  return {
    put: (name) =>
      onStorage(`cannot remove ${join(installed, name)}`, async () => {
        const folder = join(trash, newId(now()));
        work.open();
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(join(installed, name), join(folder, name)).catch(async (error: unknown) => {
          await rmdir(folder);
          tidyTrash(work);
          throw error;
        });
        await syncDirectory(folder);
        await syncDirectory(installed);
        return entryOf(folder, name);
      }),
    list: () => folders(work).flatMap(readEntry).sort(oldestFirst),
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
        tidyTrash(work);
      }),
    condemn: (id) => onStorage(`cannot erase the removed app ${id}`, () => rename(find(id), `${find(id)}${condemned}`)),
    eraseCondemned: () =>
      onStorage('cannot erase removed apps', async () => {
        const found = namesIn(trash).filter((name) => name.endsWith(condemned));
        for (const name of found) await rm(join(trash, name), { recursive: true });
        return found.length > 0;
      }),
    tidy: () => tidyTrash(work),
  };
}

export function trashOf(work: WorkFolder): string {
  return join(work.path, 'trash');
}

/** The folders that interrupted removals have left empty. */
export function unfinishedRemovals(work: WorkFolder): string[] {
  const isEmpty = (folder: string) => lstatIfThere(folder) !== null && namesIn(folder).length === 0;
  return [trashOf(work), ...folders(work)].filter(isEmpty);
}

export function tidyTrash(work: WorkFolder): void {
  const trash = trashOf(work);
  if (lstatIfThere(trash) !== null && namesIn(trash).length === 0) rmdirSync(trash);
  work.close();
}

/** Other folders there may belong to the owner. */
function folders(work: WorkFolder): string[] {
  const names = namesIn(trashOf(work)).filter((name) => folderName.test(name));
  return names.map((name) => join(trashOf(work), name));
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
