import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeSynced } from '../../lib/write-file.ts';
import { StorageFailed } from '../ports.ts';
import type { InstalledFile } from '../rules/refresh-plan.ts';
import { look, readWhatStands } from './storage.ts';

/** An app ships with configuration; its data comes later. choice/box/251 */
export const largestBundledBytes = 64 * 1024 * 1024;

export type BundleFiles = {
  /** Relative paths of regular files. */
  files: string[];
  /** Relative paths of directories, parents first. */
  directories: string[];
  /** Links, devices and too large files: a copy of them would not be what the author meant, or worse. choice/box/174 */
  leftOut: string[];
};

/** What a bundled app consists of; a `.env` of its own would be a secret that every box shares, so it is no part. */
export function listBundleFiles(root: string): BundleFiles {
  const found: BundleFiles = { files: [], directories: [], leftOut: [] };
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === '.env') continue;
      if (entry.isFile() && isSmall(join(root, path))) found.files.push(path);
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
  const bytes = readWhatStands(from, largestBundledBytes + 1, 'refused');
  if (typeof bytes === 'string') throw new StorageFailed(`${from} is not a regular file`);
  const mode = ((look(from)?.mode ?? 0o644) & 0o777) | 0o600;
  if (bytes.length <= largestBundledBytes) await writeSynced(to, bytes, mode, 'w');
  else await keepLarge(from, to);
  return digestOf(bytes);
}

/** A large file that an owner put in the place of a bundled one gets a second name, or is copied by the kernel. */
async function keepLarge(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await link(from, to).catch(() => copyFile(from, to));
  const kept = await open(to, 'r');
  try {
    await kept.sync();
  } finally {
    await kept.close();
  }
}

function isSmall(path: string): boolean {
  return (look(path)?.size ?? 0) <= largestBundledBytes;
}

export async function copyDirectoryMode(from: string, to: string): Promise<void> {
  await chmod(to, ((look(from)?.mode ?? 0o755) | 0o700) & 0o777);
}

/** Digests of the bundle's files by path. */
export function bundleDigests(root: string): Map<string, string> {
  const { files } = listBundleFiles(root);
  return new Map(files.map((path) => [path, digestAt(join(root, path))]));
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

/** A file that is too large to be a bundled one has a text of its own in place of a digest. */
function digestAt(path: string): InstalledFile {
  const { ino, size, mtimeMs } = look(path) ?? {};
  const found = readWhatStands(path, largestBundledBytes + 1, 'refused');
  if (found === 'nothing') return 'absent';
  if (found === 'no file') return 'other';
  return found.length > largestBundledBytes ? `large ${ino} ${size} ${mtimeMs}` : digestOf(found);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
