import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  renameSync,
  close as startClose,
  fsync as startFsync,
  open as startOpen,
  rename as startRename,
  unlink as startUnlink,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { naming } from '../../../lib/files/write-file.ts';

const open = promisify(startOpen);
const unlink = promisify(startUnlink);
const syncFile = promisify(startFsync);

/**
 * Short calls on files are made at once, because each promise of one costs more; but what changes a directory waits for
 * the file system's journal while others sync, and the whole process should not.
 */
export type Calls = {
  create(path: string): Promise<number> | number;
  rename(from: string, to: string): Promise<void>;
};

/** For a change while others are under way. */
export const inCompany: Calls = {
  create: (path) => open(path, 'wx', 0o644),
  rename: promisify(startRename),
};

export const alone: Calls = {
  create: (path) => openSync(path, 'wx', 0o644),
  rename: async (from, to) => renameSync(from, to),
};

/** Writes a file that is on the disk when it is put in its place; a failure leaves nothing of it. */
export async function writeBeside(
  temporary: string,
  text: string,
  { create }: Calls,
  putInPlace: () => Promise<void>,
): Promise<void> {
  try {
    const descriptor = await create(temporary);
    try {
      writeFileSync(descriptor, text);
      fchmodSync(descriptor, 0o644); // The mode at creation is narrowed by the process's umask.
      await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
    await putInPlace();
  } catch (error) {
    await remove(temporary);
    throw naming(temporary, error);
  }
}

/** That there is no such file is what was wanted. */
export async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/**
 * While a file is held, replacing it or taking it away frees no block of the disk, which can take a millisecond with
 * the directory locked; letting go does that beside all else, and nobody waits for it. One that cannot be held is
 * replaced all the same.
 */
export function hold(path: string): { letGo(): void } | null {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { letGo: () => startClose(descriptor, () => undefined) };
  } catch {
    return null;
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const descriptor = openSync(directory, 'r');
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
