import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The next change of SQLite and of a route file needs a few pages. A disk with less free space counts as full. */
const leastBytes = 256 * 1024;

/** `roomProblem` of the store's directory; `null` for a store without a directory. */
export async function storeProblem(store: { kind: string; path?: string }): Promise<string | null> {
  return store.path === undefined ? null : roomProblem(dirname(store.path));
}

/**
 * A sentence for the operator if the disk of a directory is full or read-only, else `null`. Writes nothing. Counts the
 * space that users other than root have, because the gateway does not run as root.
 */
export async function roomProblem(directory: string): Promise<string | null> {
  try {
    await access(directory, constants.W_OK);
    const { bavail, bsize, files, ffree } = await statfs(directory);
    if (bavail * bsize < leastBytes)
      return `the disk of ${directory} is full: ${Math.floor((bavail * bsize) / 1024)} KiB are left`;
    // File systems that create inodes on demand report 0 files.
    if (files > 0 && ffree === 0) return `the disk of ${directory} is full: it has no room for another file`;
    return null;
  } catch (error) {
    // Other errors concern this user or path, and are reported when the path is used.
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    return isReadOnly ? `the disk of ${directory} is read-only` : null;
  }
}
