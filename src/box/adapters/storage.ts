import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from 'node:fs';
import { StorageFailed } from '../ports.ts';

const sentences: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'the disk reports a fault',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a file stands where a directory belongs',
  EEXIST: 'something else stands there already',
  EBUSY: 'it is in use, perhaps as a mount point',
  EXDEV: 'it lies on another disk',
};

/** A fault of the file system as a sentence that names the path, with the original as its cause. */
export function storageFailed(doing: string, error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  const { code = '', message, path } = error as NodeJS.ErrnoException;
  const where = path === undefined || doing.includes(path) ? '' : ` (${path})`;
  return new StorageFailed(`${doing}: ${sentences[code] ?? (code || message)}${where}`, { cause: error });
}

/** Runs a piece of work on files; whatever fails in it fails as a StorageFailed. */
export async function onStorage<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFailed(doing, error);
  }
}

export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}

/** What stands at a path, a link as itself; null when nothing does. */
export function look(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw storageFailed(`cannot look at ${path}`, error);
  }
}

/** The names in a folder; none when it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw storageFailed(`cannot read ${folder}`, error);
  }
}

/** At most `limit` bytes of a regular file; null when there is none. A link is one only for who follows links. */
export function readRegularFile(
  path: string,
  limit: number,
  links: 'refused' | 'followed',
): Uint8Array | null {
  const found = readWhatStands(path, limit, links);
  return typeof found === 'string' ? null : found;
}

/**
 * At most `limit` bytes of a regular file, or why there are none, from one look: between two looks a file that another
 * process writes could appear, and would count as something else than a file.
 */
export function readWhatStands(
  path: string,
  limit: number,
  links: 'refused' | 'followed',
): Uint8Array | 'nothing' | 'no file' {
  // Without waiting: opening a named pipe would otherwise stop the whole server.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refused' ? constants.O_NOFOLLOW : 0);
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (isAbsent(error)) return 'nothing';
    if (code === 'ELOOP' || code === 'ENXIO') return 'no file';
    throw storageFailed(`cannot read ${path}`, error);
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? readUpTo(descriptor, Math.min(limit, stats.size)) : 'no file';
  } catch (error) {
    throw storageFailed(`cannot read ${path}`, error);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes that the file had when it was opened, as many as asked for. */
function readUpTo(descriptor: number, limit: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(limit);
  let length = 0;
  while (length < limit) {
    const count = readSync(descriptor, bytes, length, limit - length, null);
    if (count === 0) break; // Cut shorter meanwhile.
    length += count;
  }
  return bytes.subarray(0, length);
}
