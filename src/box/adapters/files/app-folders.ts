import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  isAbsent,
  lstatIfThere,
  readRegularFile,
  storageFailed,
  tryReadRegularFile,
} from '../../../lib/files/storage.ts';
import { attempt } from '../../../lib/ignore.ts';
import { type AppFolders, type AppRoots, BrokenEnv, type FolderEntry, maxEnvBytes, StorageFailed } from '../../core.ts';
import type { Place } from '../../known-apps.ts';

/** Compose reads a file as a whole. */
const largestReadBytes = 64 * 1024 * 1024;
/** Limit on the bytes of one project that are read for its digest. */
const mostProjectBytes = 4 * 1024 * 1024;

/** `environment`: the variables that the container tool gets. */
export function makeAppFolders(
  { installed, bundled }: AppRoots,
  environment: Readonly<Record<string, string>> = {},
): AppFolders {
  const rootsOf = (place: Place) => (place === 'installed' ? [installed] : bundled());
  const findAll = (place: Place, name: string) => rootsOf(place).flatMap((root) => entryAt(root, name) ?? []);
  const pathOf = (name: string) => `${installed}/${name}`;
  const envOf = (name: string) => `${installed}/${name}/.env`;

  return {
    list: (place) => rootsOf(place).flatMap(listFolders),

    find: (place, name) => findAll(place, name)[0] ?? null,

    findAll,

    path: pathOf,

    stamp: (directory, file) => lstatIfThere(`${directory}/${file}`),

    read: (directory, file, limit) => readRegularFile(`${directory}/${file}`, limit, 'refused'),

    readEnv: (name, file = '.env') => readEnvFile(`${pathOf(name)}/${file}`),

    viewEnv(name) {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readIfReadable(envOf(name)));
    },

    environment: (name) => new Map(Object.entries({ ...environment, PWD: pathOf(name) })),

    canBeRead(directory, file) {
      const path = resolve(directory, file);
      const stats = statOf(path);
      // Compose reports the error. A socket may be an SSH agent; to open it as a file fails at once.
      if (stats === null || stats.isDirectory() || stats.isSocket()) return true;
      return path === '/dev/null' || (stats.isFile() && stats.size <= largestReadBytes);
    },

    readLinked: (directory, file, limit) => readRegularFile(resolve(directory, file), limit, 'followed'),

    resolve,

    finderOf(directory, files) {
      const known = new Map<string, string>();
      for (const file of files) {
        const path = resolve(directory, file);
        // A link is a way to the file, and so is its target.
        markAbove(join(realPathOf(dirname(path)), basename(path)), file, known);
        markAbove(realPathOf(path), file, known);
      }
      return (place) => keysOf(realPathOf(resolve(directory, place))).flatMap((key) => known.get(key) ?? [])[0];
    },

    digest: digestFiles,

    isDirectory: isOrMayBeDirectory,

    knownPath(path) {
      const parent = dirname(path);
      if (path === '' || parent === installed) return path;
      if (isSameFile(parent, installed)) return pathOf(basename(path));
      return listFolders(installed).find((app) => isSameFile(app.path, path))?.path ?? path;
    },
  };
}

/** A path that cannot be inspected may still exist. */
function isOrMayBeDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    return !isAbsent(error);
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Compares by device and inode: a directory may have several paths. */
function isSameFile(path: string, other: string): boolean {
  const [one, two] = [statOf(path), statOf(other)];
  return one !== null && two !== null && one.dev === two.dev && one.ino === two.ino;
}

/** Notes the file for its path and for every folder above it. */
function markAbove(path: string, file: string, known: Map<string, string>): void {
  if (known.has(path)) return;
  for (const key of keysOf(path)) known.set(key, file);
  if (path !== dirname(path)) markAbove(dirname(path), file, known);
}

/** Device and inode as well: a directory may have several paths. */
function keysOf(path: string): string[] {
  const stats = statOf(path);
  return stats === null ? [path] : [path, `${stats.dev} ${stats.ino}`];
}

/** The real path of the part of a path that exists, and the rest as it is. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

function listFolders(root: string): FolderEntry[] {
  const folders: FolderEntry[] = [];
  for (const entry of readEntries(root)) {
    const link = entry.isSymbolicLink();
    if (!link && !entry.isDirectory()) continue;
    if (!entry.name.startsWith('.')) folders.push({ name: entry.name, link, path: `${root}/${entry.name}` });
  }
  return folders;
}

function entryAt(root: string, name: string): FolderEntry | null {
  const path = `${root}/${name}`;
  const stats = lstatIfThere(path);
  const link = stats?.isSymbolicLink() ?? false;
  return link || stats?.isDirectory() ? { name, link, path } : null;
}

function readEntries(root: string) {
  try {
    return readdirSync(root, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw storageFailed(`cannot read ${root}`, error);
  }
}

function readIfReadable(path: string): Uint8Array | undefined {
  const read = () => readRegularFile(path, maxEnvBytes, 'followed') ?? undefined;
  return attempt(read, StorageFailed, () => undefined);
}

function readEnvFile(path: string): string | null {
  // An `.env` that cannot be opened is a fault of its app, not of the box.
  const broken = (error: StorageFailed) => {
    throw new BrokenEnv(error.message, { cause: error });
  };
  const bytes = attempt(() => tryReadRegularFile(path, maxEnvBytes + 1, 'followed'), StorageFailed, broken);
  if (bytes === 'nothing') return null;
  if (bytes === 'no file') throw new BrokenEnv(`${path} is not a regular file`);
  if (bytes.length > maxEnvBytes) throw new BrokenEnv(`${path} is larger than 1 MiB`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new BrokenEnv(`${path} is not UTF-8 text`, { cause: error });
  }
}

function digestFiles(directory: string, files: readonly string[], text: string | null = null): string {
  const hash = createHash('sha256').update(JSON.stringify(text));
  let left = mostProjectBytes;
  for (const file of new Set(files)) {
    const content = contentOf(resolve(directory, file), left);
    hash.update(`${file}\0${content.length}\0`).update(content);
    left -= content.length;
  }
  return hash.digest('hex');
}

/** The bytes of a file. For a file larger than `limit`, which is not read: its inode, size and change time instead. */
function contentOf(path: string, limit: number): Uint8Array | string {
  const stats = statOf(path);
  if (stats === null) return 'absent';
  if (stats.size > limit) return `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
  return readRegularFile(path, limit, 'followed') ?? 'absent';
}
