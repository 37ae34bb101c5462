import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import type { ArchiveFile } from './archive.ts';
import type { Checkout } from './checkout.ts';
import { ReleaseFailed } from './failure.ts';

/**
 * The files of a package of boxgate: those that `files` of package.json names, of the commit and of dist/. Files that
 * are only in the checkout are in no commit, so they are left out. Throws ReleaseFailed for links.
 */
export function packageFiles(root: string, checkout: Checkout): ArchiveFile[] {
  const { files: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const made = readdirSync(join(root, 'dist')).map((name): [string, string] => [`dist/${name}`, '100644']);
  return [...checkout.files, ...made]
    .filter(([path]) => isPackaged(path, patterns))
    .map(([path, mode]) => {
      const file = join(root, path);
      if (!lstatSync(file).isFile())
        throw new ReleaseFailed(`${path} is not a regular file: a release has no links`);
      return { path, bytes: readFileSync(file), executable: mode === '100755' };
    });
}

/** Whether a pattern of package.json's `files` names this file or a folder that it lies in. */
export function isPackaged(path: string, patterns: readonly string[]): boolean {
  const name = basename(path);
  // The settings of a person hold secrets.
  if (name.startsWith('.env') && !name.endsWith('.env.example')) return false;
  return patterns.some((pattern) => path.startsWith(`${pattern}/`) || matchesGlob(path, pattern));
}
