import { createHash, type Hash } from 'node:crypto';
import { type ReadStream, readdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatIfThere, storageFailed, tryStreamRegularFile } from '../../../lib/files/storage.ts';
import { writeSynced } from '../../../lib/files/write-file.ts';
import { keptVolumesFile } from '../../backup/rules/kept-volumes.ts';
import { originFile } from '../../rules/manifest/app-name.ts';

export type BundleFiles = {
  /** Relative paths, as of `directories`. */
  files: string[];
  /** Parents first. */
  directories: string[];
  /**
   * Links, pipes and devices, because copying their target may be harmful, and a bundled `.env`, because it would be a
   * secret that every box shares, choice/box/174, and the box's own list of volumes.
   */
  leftOut: string[];
};

export function listBundleFiles(root: string): BundleFiles {
  const found: BundleFiles = { files: [], directories: [], leftOut: [] };
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (path === originFile) continue; // Somebody copied an installed app.
      const isKept = path === '.env' || path === keptVolumesFile;
      if (entry.isFile() && !isKept) found.files.push(path);
      else if (!entry.isDirectory() || isKept) found.leftOut.push(path);
      else {
        found.directories.push(path);
        walk(path);
      }
    }
  };
  walk('');
  return found;
}

/** Copies a file's bytes and permissions durably; the owner may always write the copy. Returns the digest. */
export async function copyFileSynced(from: string, to: string): Promise<string> {
  const mode = ((lstatIfThere(from)?.mode ?? 0o644) & 0o777) | 0o600;
  const stream = tryStreamRegularFile(from, 'refused');
  if (typeof stream === 'string') throw new Error(`${from} is not a regular file`);
  const hash = createHash('sha256');
  await writeSynced(to, hashing(stream, hash), mode, 'w').finally(() => stream.destroy());
  return hash.digest('hex');
}

export async function copyDirectoryMode(from: string, to: string): Promise<void> {
  await chmod(to, ((lstatIfThere(from)?.mode ?? 0o755) | 0o700) & 0o777);
}

/** Digests of the bundle's files by path, and the paths that were left out. */
export async function bundleDigests(root: string): Promise<{ digests: Map<string, string>; leftOut: string[] }> {
  const { files, leftOut } = listBundleFiles(root);
  const digests = new Map<string, string>();
  for (const path of files) digests.set(path, await digestAt(join(root, path)));
  return { digests, leftOut };
}

/** The digest of an installed file. A path below a link or a file does not belong to the app. */
export async function installedFile(root: string, path: string): Promise<string> {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const stats = lstatIfThere(join(root, parent));
    if (stats !== null && !stats.isDirectory()) return 'other';
  }
  return digestAt(join(root, path));
}

export async function makeParents(root: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true, mode: 0o755 });
}

async function digestAt(path: string): Promise<string> {
  const stream = tryStreamRegularFile(path, 'refused');
  if (stream === 'nothing') return 'absent';
  if (stream === 'no file') return 'other';
  const hash = createHash('sha256');
  for await (const _ of hashing(stream, hash));
  return hash.digest('hex');
}

/** Yields the chunks of a file and adds them to a hash. A read error names the file. */
async function* hashing(stream: ReadStream, hash: Hash): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw storageFailed(`cannot read ${stream.path}`, error);
  }
}
