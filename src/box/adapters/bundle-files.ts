import { createHash } from 'node:crypto';
import { constants, readdirSync, type Stats } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { naming, writeSynced } from '../../lib/write-file.ts';
import { StorageFailed } from '../ports.ts';
import type { InstalledFile } from '../rules/refresh-plan.ts';
import { look, readWhatStands } from './storage.ts';

/** A larger file is never read into memory. choice/box/251 */
export const largestReadBytes = 64 * 1024 * 1024;

export type BundleFiles = {
  /** Relative paths of regular files. */
  files: string[];
  /** Relative paths of directories, parents first. */
  directories: string[];
  /** Links, pipes and devices: a copy of them would not be what the author meant, or worse. choice/box/174 */
  leftOut: string[];
};

/** What a bundled app consists of; a `.env` of its own would be a secret that every box shares, so it is no part. */
export function listBundleFiles(root: string): BundleFiles {
  const found: BundleFiles = { files: [], directories: [], leftOut: [] };
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === '.env') continue;
      if (entry.isFile()) found.files.push(path);
      else if (!entry.isDirectory()) found.leftOut.push(path);
      else {
        found.directories.push(path);
        walk(path);
      }
    }
  };
  walk('');
  return found;
}

/** Copies a file's bytes and permissions durably; its owner may always write the copy. Answers the digest. */
export async function copyFileSynced(from: string, to: string): Promise<string> {
  const stats = look(from);
  const mode = ((stats?.mode ?? 0o644) & 0o777) | 0o600;
  if (isLarge(stats)) {
    await copyLarge(from, to, mode, modifiedMs(stats));
    return largeDigest(stats);
  }
  const bytes = readWhatStands(from, largestReadBytes, 'refused');
  if (typeof bytes === 'string') throw new StorageFailed(`${from} is not a regular file`);
  await writeSynced(to, bytes, mode, 'w');
  return digestOf(bytes);
}

/** Keeps a file under a second name durably. A large file is linked where the file system has hard links. */
export async function keepFileSynced(from: string, to: string): Promise<void> {
  if (isLarge(look(from))) {
    await rm(to, { force: true });
    const isLinked = await link(from, to).then(
      () => true,
      () => false,
    );
    if (isLinked) return syncFile(to);
  }
  await copyFileSynced(from, to);
}

/** The copy gets the modification time too: `largeDigest` is made of it. */
async function copyLarge(from: string, to: string, mode: number, modifiedMs: number): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await chmod(to, mode);
    await utimes(to, modifiedMs / 1000, modifiedMs / 1000);
    await syncFile(to);
  } catch (error) {
    throw naming(to, error);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function isLarge(stats: Stats | null): stats is Stats {
  return stats?.isFile() === true && stats.size > largestReadBytes;
}

export async function copyDirectoryMode(from: string, to: string): Promise<void> {
  await chmod(to, ((look(from)?.mode ?? 0o755) | 0o700) & 0o777);
}

/** Digests of the bundle's files by path, and the paths that are left out. */
export function bundleDigests(root: string): { digests: Map<string, string>; leftOut: string[] } {
  const { files, leftOut } = listBundleFiles(root);
  return { digests: new Map(files.map((path) => [path, digestAt(join(root, path))])), leftOut };
}

/** What stands at a path of an installed app: nothing below a link or a file is the app's own. */
export function installedFile(root: string, path: string): InstalledFile {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = look(join(root, parent));
    if (stats !== null && !stats.isDirectory()) return 'other';
  }
  return digestAt(join(root, path));
}

export async function makeParents(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o755 });
}

function digestAt(path: string): InstalledFile {
  const stats = look(path);
  if (isLarge(stats)) return largeDigest(stats);
  const found = readWhatStands(path, largestReadBytes, 'refused');
  if (found === 'nothing') return 'absent';
  return found === 'no file' ? 'other' : digestOf(found);
}

/** Stands for the digest of a large file, which would take too long to compute. */
function largeDigest(stats: Stats): string {
  return `large ${stats.size} ${modifiedMs(stats)}`;
}

/** Rounded, because Node sets times less exactly than it reads them. */
function modifiedMs({ mtimeMs }: Stats): number {
  return Math.round(mtimeMs);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
