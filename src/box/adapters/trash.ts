import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { syncDirectory, writeFileAtomic } from '../../lib/write-file.ts';
import { StorageFailed, type Trash, type TrashEntry } from '../ports.ts';
import { isAbsent, look, onStorage, readRegularFile } from './storage.ts';
import type { WorkFolder } from './work-folder.ts';

/**
 * Removed apps: one folder each with `app`, the directory as it was, and `entry.json`, its name and the time. It
 * lies in the state directory when a rename reaches it from there, else in the work folder. The note is written
 * before the directory comes, so that a folder without `app` is a removal that never happened.
 */
export type TrashDirectories = { installed: string; state: string };

const largestEntryBytes = 64 * 1024;

export function makeTrash(directories: TrashDirectories, work: WorkFolder, now: () => Date): Trash {
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
        const entry = { id: newId(now()), name, removedAt: now() };
        const folder = join(openTrash(directories, work), entry.id);
        await mkdir(folder, { mode: 0o700 });
        try {
          await writeFileAtomic(join(folder, 'entry.json'), entryText(entry), 0o600);
          await rename(join(installed, name), join(folder, 'app'));
        } catch (error) {
          await rm(folder, { recursive: true, force: true });
          throw error;
        }
        await syncDirectory(folder);
        await syncDirectory(installed);
        return entry;
      }),
    list: () => folders(places).flatMap(readEntry).sort(oldestFirst),
    restore: (id) =>
      onStorage(`cannot restore ${id}`, async () => {
        const folder = find(id);
        const [entry] = readEntry(folder);
        if (entry === undefined) throw new StorageFailed(`the note of the removed app ${id} cannot be read`);
        const target = join(installed, entry.name);
        if (look(target) !== null) throw new StorageFailed(`${target} is there already`);
        await mkdir(installed, { recursive: true, mode: 0o755 });
        await rename(join(folder, 'app'), target);
        await syncDirectory(installed);
        await rm(folder, { recursive: true });
        work.close();
      }),
    erase: (id) =>
      onStorage(`cannot erase the removed app ${id}`, async () => {
        await rm(find(id), { recursive: true });
        work.close();
      }),
  };
}

/** Takes away notes of removals that never happened. */
export async function sweepTrash(directories: TrashDirectories, work: WorkFolder): Promise<void> {
  for (const folder of folders(trashPlaces(directories, work))) {
    if (look(join(folder, 'app')) === null) await rm(folder, { recursive: true, force: true });
  }
}

export function hasUnfinishedRemoval(directories: TrashDirectories, work: WorkFolder): boolean {
  return folders(trashPlaces(directories, work)).some((folder) => look(join(folder, 'app')) === null);
}

function trashPlaces({ state }: TrashDirectories, work: WorkFolder): string[] {
  return [join(resolve(state), 'trash'), ...work.places.map((place) => join(place, 'trash'))];
}

function openTrash({ installed, state }: TrashDirectories, work: WorkFolder): string {
  const inState = join(resolve(state), 'trash');
  if (statSync(dirname(inState)).dev === statSync(installed).dev) {
    mkdirSync(inState, { recursive: true, mode: 0o700 });
    return inState;
  }
  const inWork = join(work.open(), 'trash');
  mkdirSync(inWork, { recursive: true, mode: 0o700 });
  return inWork;
}

function folders(places: readonly string[]): string[] {
  return places.flatMap((place) => {
    if (!existsSync(place)) return [];
    try {
      return readdirSync(place).map((name) => join(place, name));
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  });
}

function readEntry(folder: string): TrashEntry[] {
  const bytes = readRegularFile(join(folder, 'entry.json'), largestEntryBytes, 'refused');
  if (bytes === null || look(join(folder, 'app')) === null) return [];
  try {
    const { name, removed_at } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return [{ id: basename(folder), name: String(name), removedAt: new Date(removed_at) }];
  } catch {
    return []; // Not a note of ours: left alone, since what it belongs to is unknown.
  }
}

function entryText({ name, removedAt }: TrashEntry): string {
  return `${JSON.stringify({ name, removed_at: removedAt.toISOString() })}\n`;
}

function oldestFirst(a: TrashEntry, b: TrashEntry): number {
  return a.removedAt.getTime() - b.removedAt.getTime() || (a.id < b.id ? -1 : 1);
}

function newId(now: Date): string {
  return `${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;
}
