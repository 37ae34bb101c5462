import { chmodSync, lstatSync, type ReadStream, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { makeFolders } from './make-folders.ts';
import { type Links, readRegularFile as readFile, streamRegularFile } from './read-file.ts';
import { StorageFailed } from './storage-failed.ts';

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
  EISDIR: 'a directory is in the place of a file',
  ENOTDIR: 'a file is in the place of a directory',
  EEXIST: 'it exists already',
  EBUSY: 'it is in use, perhaps as a mount point',
  EXDEV: 'it lies on another disk',
};

/** In a copy or a rename, these are faults of the target's disk. */
const ofTarget = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** An error of the file system as a sentence that names the path, with the original as its cause. */
export function storageFailed(doing: string, error: unknown): StorageFailed {
  if (error instanceof StorageFailed) return error;
  const { code = '', message, path: named, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const path = ofTarget.has(code) ? (dest ?? named) : named;
  const where = path === undefined || doing.includes(path) ? '' : ` (${path})`;
  return new StorageFailed(`${doing}: ${sentences[code] ?? (code || message)}${where}`, { cause: error });
}

/** Runs work on files; throws every failure as a StorageFailed. */
export async function onStorage<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFailed(doing, error);
  }
}

/** Makes the state directory. The reverse proxy publishes a file of it, so every user may read it. */
export function makeStateDirectory(path: string): void {
  try {
    if (makeFolders(path, 0o755)) chmodSync(path, 0o755);
  } catch (error) {
    throw storageFailed(`cannot make the state directory ${path}`, error);
  }
}

export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';
}

/** For a `catch`: ignores that a path does not exist. */
export function unlessAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}

/** The status of a path, without following a link; `null` if the path does not exist. */
export function lstatIfThere(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw storageFailed(`cannot look at ${path}`, error);
  }
}

/** The target of a link; `null` for anything else. */
export function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** The names in a folder; empty if the folder does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw storageFailed(`cannot read ${folder}`, error);
  }
}

/** At most `limit` bytes of a regular file; `null` if it does not exist or is no regular file. */
export function readRegularFile(path: string, limit: number, links: Links): Uint8Array | null {
  const found = tryReadRegularFile(path, limit, links);
  return typeof found === 'string' ? null : found;
}

/** Like `readRegularFile` of `read-file.ts`, but throws a StorageFailed. */
export function tryReadRegularFile(path: string, limit: number, links: Links): Uint8Array | 'nothing' | 'no file' {
  try {
    return readFile(path, limit, links);
  } catch (error) {
    throw storageFailed(`cannot read ${path}`, error);
  }
}

/** Like `tryReadRegularFile`, but reads the whole file in chunks. The caller destroys the stream. */
export function tryStreamRegularFile(path: string, links: Links): ReadStream | 'nothing' | 'no file' {
  try {
    return streamRegularFile(path, links);
  } catch (error) {
    throw storageFailed(`cannot read ${path}`, error);
  }
}
