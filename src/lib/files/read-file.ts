import { closeSync, constants, createReadStream, fstatSync, openSync, type ReadStream, readSync } from 'node:fs';

export type Links = 'refused' | 'followed';

/**
 * At most `limit` bytes of a regular file; `nothing` if the path does not exist, `no file` if it is not a regular file.
 * Never waits for the writer of a named pipe, and never reads a device. Throws every other error of the file system
 * unchanged.
 */
export function readRegularFile(path: string, limit: number, links: Links): Buffer | 'nothing' | 'no file' {
  const opened = openRegularFile(path, links);
  if (typeof opened === 'string') return opened;
  try {
    return readUpTo(opened.descriptor, Math.min(limit, opened.size));
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Like `readRegularFile`, but reads the whole file in chunks. The caller destroys the stream. */
export function streamRegularFile(path: string, links: Links): ReadStream | 'nothing' | 'no file' {
  const opened = openRegularFile(path, links);
  if (typeof opened === 'string') return opened;
  const { descriptor, size } = opened;
  return createReadStream(path, { fd: descriptor, end: Math.max(size - 1, 0) });
}

function openRegularFile(path: string, links: Links): { descriptor: number; size: number } | 'nothing' | 'no file' {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refused' ? constants.O_NOFOLLOW : 0);
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return 'nothing';
    // A link that may not be followed, a link loop, a socket, or a device without a driver.
    if (code === 'ELOOP' || code === 'ENXIO' || code === 'ENODEV') return 'no file';
    throw error;
  }
  // Checks the open file, because another process could replace the path between two calls.
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, size: stats.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return 'no file';
}

/**
 * The text of a file, at most `limit` bytes of it; `null` if the file does not exist. Throws if it is not a regular
 * file.
 */
export function readTextIfThere(path: string, limit: number): string | null {
  const found = readRegularFile(path, limit, 'followed');
  if (found === 'no file') throw new Error(`${path} is not a regular file`);
  return found === 'nothing' ? null : found.toString('utf8');
}

/** At most `limit` bytes of the size that the file had when it was opened. */
function readUpTo(descriptor: number, limit: number): Buffer {
  const bytes = Buffer.allocUnsafe(limit);
  let length = 0;
  while (length < limit) {
    const count = readSync(descriptor, bytes, length, limit - length, null);
    if (count === 0) break; // The file was truncated meanwhile.
    length += count;
  }
  return bytes.subarray(0, length);
}
