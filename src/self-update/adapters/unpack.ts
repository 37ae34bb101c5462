import { createReadStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { storageFailed } from '../../lib/files/storage.ts';
import { syncDirectory, writeSynced } from '../../lib/files/write-file.ts';
import { failAsTooLarge, makeEntryJudge } from '../rules/archive-entry.ts';
import { fail, UpdateFailed } from '../rules/update-failed.ts';

/** The limit for headers, long names and padding of all entries together; a tar reader keeps a long name in memory. */
const maxOverheadBytes = 64 * 1024 * 1024;

/** Unpacks a gzipped tar archive. Every entry is checked before it is written. choice/box/139 */
export async function unpackArchive(file: string, folder: string, maxBytes: number): Promise<void> {
  try {
    await makeOpenFolder(folder);
    const folders = await unpackInto(file, folder, maxBytes);
    // A new folder is durable only after its parent is synced too.
    for (const path of [...folders, dirname(folder)]) await syncDirectory(path);
  } catch (error) {
    if (error instanceof UpdateFailed) throw error;
    if (!isOwnFault(error)) failAsDamaged((error as Error).message, error);
    fail(storageFailed(`cannot unpack the archive into ${folder}`, error).message, error);
  }
}

/** Makes a folder that every user may read: a gateway may run as another user than the updater. */
async function makeOpenFolder(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o755); // The mode at creation is narrowed by the process's umask.
}

/** Returns the folders that it made. */
async function unpackInto(file: string, folder: string, maxBytes: number): Promise<Set<string>> {
  const judge = makeEntryJudge(maxBytes);
  const folders = new Set([folder]);
  const archive = extract();
  let files = 0;

  const makeFolder = async (path: string) => {
    if (folders.has(path)) return;
    await makeFolder(dirname(path));
    await makeOpenFolder(path);
    folders.add(path);
  };
  const writeEntries = async () => {
    for await (const entry of archive) {
      const { kind, path, mode } = judge(entry.header);
      const place = join(folder, path);
      await makeFolder(kind === 'folder' ? place : dirname(place));
      if (kind === 'file') {
        await writeSynced(place, entry, mode, 'wx');
        files += 1;
      } else entry.resume();
    }
    if (files === 0) failAsDamaged('it holds no files');
  };

  const reading = pipeline(createReadStream(file), createGunzip(), (source) => limited(source, maxBytes), archive);
  const writing = writeEntries().catch((error: unknown) => {
    archive.destroy();
    throw error;
  });
  const [written, read] = await Promise.allSettled([writing, reading]);
  // A refused entry or a full disk ends the reading of the archive; a damaged archive ends the writing of files.
  if (written.status === 'rejected' && isOwnFault(written.reason)) throw written.reason;
  for (const end of [read, written]) if (end.status === 'rejected') throw end.reason;
  return folders;
}

function failAsDamaged(problem: string, cause?: unknown): never {
  fail(`the archive cannot be unpacked: ${problem}`, cause);
}

function isOwnFault(error: unknown): boolean {
  return error instanceof UpdateFailed || (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Stops an archive that grows beyond the limit: gzip data can expand a thousandfold. */
async function* limited(source: AsyncIterable<Uint8Array>, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes + maxOverheadBytes) failAsTooLarge(maxBytes);
    yield chunk;
  }
}
