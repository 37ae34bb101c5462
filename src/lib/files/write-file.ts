import { lstat, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const temporaryPrefix = '.boxgate-write-';

/**
 * Writes a file atomically and durably: writes and syncs a temporary file, renames it, and syncs the directory. A
 * reader sees the old bytes or the new ones. Writes nothing if the file already has these bytes and this mode; then the
 * result is false. A failed write leaves the old file and no temporary file. Its error has this `path`. A link at the
 * path is replaced, not followed.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array, mode: number): Promise<boolean> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  if (await holds(path, bytes, mode)) return false;
  const directory = dirname(path);
  const temporary = temporaryIn(directory);
  try {
    await writeSynced(temporary, bytes, mode, 'wx');
    await rename(temporary, path);
  } catch (error) {
    // A failure here would hide the failure of the write.
    await unlink(temporary).catch(() => undefined);
    throw naming(path, error);
  }
  await syncDirectory(directory);
  return true;
}

/** Adds the path to an error of a call on a descriptor (ENOSPC, EDQUOT, EIO), which has no path. */
export function naming(path: string, error: unknown): unknown {
  const fault = error as NodeJS.ErrnoException;
  if (fault.syscall === undefined) return error;
  if (fault.path === undefined) fault.message += ` '${path}'`;
  fault.path = path;
  return fault;
}

/** A name that is unique to this process and moment. */
export function temporaryIn(directory: string): string {
  return join(directory, `${temporaryPrefix}${process.pid}-${process.hrtime.bigint().toString(36)}`);
}

export function isTemporaryName(name: string): boolean {
  return name.startsWith(temporaryPrefix);
}

/** Makes the bytes of a file durable. */
export async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

/** Removes the temporary files of killed processes from a directory. */
export async function sweepTemporaryFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isTemporaryName(name)) await unlink(join(directory, name));
  }
}

async function holds(path: string, bytes: Uint8Array, mode: number): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size !== bytes.length || (stats.mode & 0o7777) !== mode) return false;
    return (await readFile(path)).equals(bytes);
  } catch {
    return false; // The file is absent or unreadable. The write that follows reports the error.
  }
}

/** Writes and syncs a file in place. Its mode is never wider than the final one. */
export async function writeSynced(
  path: string,
  bytes: Uint8Array | string | AsyncIterable<Uint8Array>,
  mode: number,
  flags: 'w' | 'wx',
): Promise<void> {
  try {
    await using handle = await open(path, flags, mode);
    await handle.writeFile(bytes);
    await handle.chmod(mode); // The mode at creation is narrowed by the process's umask.
    await handle.sync();
  } catch (error) {
    throw naming(path, error);
  }
}
