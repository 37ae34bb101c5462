import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../../lib/files/read-file.ts';
import { type OpenStore, StoreUnreadable } from '../ports.ts';
import { maxStoreFileBytes, mostStoreBytes } from '../rules/wanted-files.ts';

const mostFiles = 50_000;
/** Folders that lie deeper are not read; `Apps/NAME/data/` is the third level. */
const mostLevels = 12;

/** Opens a store in a folder of this machine. Links are not followed. */
export async function openFolderStore(address: string): Promise<OpenStore> {
  const paths = onFolder(() => filesBelow(address));
  const hash = createHash('sha256');
  for (const path of paths) {
    const stats = onFolder(() => lstatSync(join(address, path), { throwIfNoEntry: false }));
    hash.update(`${path}\0${stats?.size}\0${stats?.mtimeMs}\0${stats?.ino}\n`);
  }
  return {
    revision: hash.digest('hex'),
    paths,
    async read(wanted) {
      return readAll(wanted, (path) => {
        const bytes = readOrNull(join(address, path));
        return bytes === null || bytes.length > maxStoreFileBytes ? null : bytes;
      });
    },
    async close() {},
  };
}

/** Bounds the bytes of all files; in git, many paths may have one content. */
export function readAll(
  paths: readonly string[],
  read: (path: string) => Uint8Array | null,
): Map<string, Uint8Array | null> {
  const files = new Map<string, Uint8Array | null>();
  let left = mostStoreBytes;
  for (const path of paths) {
    const bytes = read(path);
    left -= bytes?.length ?? 0;
    if (left < 0) throw new StoreUnreadable('the files of its apps have more than 64 MiB');
    files.set(path, bytes);
  }
  return files;
}

function filesBelow(root: string): string[] {
  const found: string[] = [];
  let seen = 0;
  const walk = (folder: string, levels: number) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      seen += 1;
      if (seen > mostFiles) throw new StoreUnreadable(`it has more than ${mostFiles} files`);
      if (entry.isDirectory() && levels < mostLevels && entry.name !== '.git') walk(path, levels + 1);
    }
  };
  walk('', 0);
  return found.sort();
}

function readOrNull(path: string): Uint8Array | null {
  try {
    const bytes = readRegularFile(path, maxStoreFileBytes + 1, 'refused');
    return typeof bytes === 'string' ? null : bytes;
  } catch {
    return null; // The report of the store says which app this leaves out.
  }
}

function onFolder<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreUnreadable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such folder' : message;
    throw new StoreUnreadable(reason, { cause: error });
  }
}
