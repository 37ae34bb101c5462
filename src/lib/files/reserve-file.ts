import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming, syncDirectory } from './write-file.ts';

/** Reserved disk space for a file that will be written later. */
export type ReservedFile = {
  /** Puts the text in the file's place, whole or not at all, and durably. */
  fill(text: string): Promise<void>;
  /** Frees the space; also after a `fill` that failed. */
  abandon(): Promise<void>;
};

/**
 * Reserves the disk space of a file before a step that cannot be repeated, so that a full or read-only disk fails now.
 * The text is later written into these blocks. One writer at a time: a file that a killed writer left, or any other
 * file at that path, is removed.
 * @param bytes - at least as many as the text will have
 */
export async function reserveFile(path: string, bytes: number, mode: number): Promise<ReservedFile> {
  const reserved = `${path}.reserved`;
  await rm(reserved, { force: true });
  const handle = await open(reserved, 'wx', mode);
  const abandon = async () => {
    await handle.close();
    await rm(reserved, { force: true });
  };
  try {
    await handle.chmod(mode); // The mode at creation is narrowed by the process's umask.
    await handle.writeFile(Buffer.alloc(bytes, ' '));
    await handle.sync();
  } catch (error) {
    await abandon();
    throw naming(path, error);
  }
  return { abandon, fill: (text) => fill(handle, text, { reserved, path }) };
}

async function fill(handle: FileHandle, text: string, names: { reserved: string; path: string }) {
  const bytes = Buffer.from(text);
  try {
    await handle.write(bytes, 0, bytes.length, 0);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(names.reserved, names.path);
  await syncDirectory(dirname(names.path));
}
