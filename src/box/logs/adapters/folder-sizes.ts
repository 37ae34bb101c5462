import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeQueue } from '../../../lib/queue.ts';
import type { FolderSize, LogsPorts } from '../ports.ts';

const longestMs = 3000;
const keepMs = 10 * 60_000;
/** Files that are looked at together. */
const atATime = 64;

/** The space that folders take on their own disk. Links are not followed. */
export function makeFolderSizes(limitMs = longestMs): LogsPorts['sizes'] {
  const known = new Map<string, { size: FolderSize; until: number }>();
  const queue = makeQueue();

  const measureAll = async (folders: readonly string[]) => {
    const endMs = Date.now() + limitMs;
    const found = new Map<string, FolderSize>();
    for (const folder of folders) {
      const before = known.get(folder);
      const size = before !== undefined && before.until > Date.now() ? before.size : await measure(folder, endMs);
      found.set(folder, size);
      // The next caller counts a folder that this one had no time for.
      if (size === before?.size || (size.bytes === 0 && !size.isWhole)) continue;
      known.set(folder, { size, until: Date.now() + keepMs });
    }
    return found;
  };
  return (folders) => queue(() => measureAll(folders));
}

async function measure(root: string, endMs: number): Promise<FolderSize> {
  const size = { bytes: 0, isWhole: true };
  const folders = [root];
  const disk = await lstat(root).then(
    ({ dev }) => dev,
    () => null,
  );
  if (disk === null) return { bytes: 0, isWhole: false };
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entries of batches(folder, size)) {
      if (Date.now() > endMs) return { ...size, isWhole: false };
      const path = folder;
      await Promise.all(
        entries.map(async (entry) => {
          const stats = await lstat(join(path, entry.name)).catch(() => null); // It was removed meanwhile.
          if (stats === null || stats.dev !== disk) return;
          size.bytes += stats.blocks * 512;
          if (stats.isDirectory()) folders.push(join(path, entry.name));
        }),
      );
    }
  }
  return size;
}

/** The entries of a folder, some at a time. One that cannot be read makes the size incomplete. */
async function* batches(folder: string, size: { isWhole: boolean }): AsyncGenerator<Dirent[]> {
  let entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push(entry);
      if (entries.length < atATime) continue;
      yield entries;
      entries = [];
    }
  } catch {
    size.isWhole = false;
  }
  if (entries.length > 0) yield entries;
}
