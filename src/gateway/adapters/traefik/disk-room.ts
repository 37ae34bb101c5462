import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** SQLite and route files need a few pages for the next change; a disk with less is as good as full. */
const leastBytes = 256 * 1024;

/** The same as `roomProblem` for the directory of a store; `null` for a store that is in no directory. */
export async function storeProblem(store: { kind: string; path?: string }): Promise<string | null> {
  return store.path === undefined ? null : roomProblem(dirname(store.path));
}

/**
 * Whether the disk of a directory is full or read-only, as a sentence for the operator; `null` if it is neither. Changes
 * nothing. Counts the room that is left to users other than root, because the gateway is one.
 */
export async function roomProblem(directory: string): Promise<string | null> {
  try {
    await access(directory, constants.W_OK);
    const { bavail, bsize, files, ffree } = await statfs(directory);
    if (bavail * bsize < leastBytes)
      return `the disk of ${directory} is full: ${Math.floor((bavail * bsize) / 1024)} KiB are left`;
    // Some file systems make inodes as they need them, and count none.
    if (files > 0 && ffree === 0) return `the disk of ${directory} is full: it has no room for another file`;
    return null;
  } catch (error) {
    // Another fault concerns this user or this path; the next reader of the path reports it.
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    return isReadOnly ? `the disk of ${directory} is read-only` : null;
  }
}
