import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming, syncDirectory, writeSynced } from './write-file.ts';

/** Reserved disk space for a file that will be written later. */
export type ReservedFile = {
  /** Writes the text to the file's path, atomically and durably. */
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
  const abandon = () => rm(reserved, { force: true });
  await abandon();
  try {
    await writeSynced(reserved, Buffer.alloc(bytes, ' '), mode, 'wx');
  } catch (error) {
    await abandon();
    throw naming(path, error);
  }
  const fill = async (text: string) => {
    await fillReserved(reserved, text);
    await rename(reserved, path);
    await syncDirectory(dirname(path));
  };
  return { abandon, fill };
}

async function fillReserved(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.writeFile(text);
  await handle.truncate(Buffer.byteLength(text));
  await handle.sync();
}
