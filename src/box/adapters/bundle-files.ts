import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeSynced } from '../../lib/write-file.ts';
import type { InstalledFile } from '../rules/refresh-plan.ts';
import { look } from './storage.ts';

export type BundleFiles = {
  /** Relative paths of regular files. */
  files: string[];
  /** Relative paths of directories, parents first. */
  directories: string[];
  /** Links and devices: a copy of them would not be what the bundle's author meant, or worse. choice/box/174 */
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
  const bytes = readFileSync(from);
  await writeSynced(to, bytes, ((look(from)?.mode ?? 0o644) & 0o777) | 0o600, 'w');
  return digestOf(bytes);
}

export async function copyDirectoryMode(from: string, to: string): Promise<void> {
  await chmod(to, ((look(from)?.mode ?? 0o755) | 0o700) & 0o777);
}

/** Digests of the bundle's files by path. */
export function bundleDigests(root: string): Map<string, string> {
  const { files } = listBundleFiles(root);
  return new Map(files.map((path) => [path, digestOf(readFileSync(join(root, path)))]));
}

/** What stands at a path of an installed app: nothing below a link or a file is the app's own. */
export function installedFile(root: string, path: string): InstalledFile {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = look(join(root, parent));
    if (stats !== null && !stats.isDirectory()) return 'other';
  }
  const stats = look(join(root, path));
  if (stats === null) return 'absent';
  return stats.isFile() ? digestOf(readFileSync(join(root, path))) : 'other';
}

export async function makeParents(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o755 });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
