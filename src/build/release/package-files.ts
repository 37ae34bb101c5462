import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import type { ArchiveFile } from './archive.ts';
import type { Checkout } from './checkout.ts';
import { ReleaseFailed } from './failure.ts';

/**
 * The files of a package of boxgate: files of the commit and those that the build makes, if `files` of package.json names
 * them. Other files of the checkout are left out. Throws ReleaseFailed for links.
 */
export function packageFiles(root: string, checkout: Checkout): ArchiveFile[] {
  const { files: patterns } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const documents = readdirSync(join(root, 'spec')).filter((name) => /\.openapi\.(json|d\.ts)$/.test(name));
  const made = [
    ...readdirSync(join(root, 'dist')).map((name) => `dist/${name}`),
    ...documents.map((name) => `spec/${name}`),
    ...examplesOf(root),
  ];
  return [...checkout.files, ...made.map((path): [string, string] => [path, '100644'])]
    .filter(([path]) => isPackaged(path, patterns))
    .map(([path, mode]) => {
      const file = join(root, path);
      if (!lstatSync(file).isFile()) throw new ReleaseFailed(`${path} is not a regular file: a release has no links`);
      return { path, bytes: readFileSync(file), executable: mode === '100755' };
    });
}

/** Throws ReleaseFailed where the build could not make them: a release is the same on every machine. */
function examplesOf(root: string): string[] {
  const folder = 'conformance/examples';
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const examples = names.filter((name) => /\.(py|html)$/.test(name));
  if (examples.length === 0) throw new ReleaseFailed('conformance/examples is empty: install Python 3.11 or newer');
  return examples.map((name) => `${folder}/${name}`);
}

/** Whether a pattern of package.json's `files` matches the file or one of its folders. */
export function isPackaged(path: string, patterns: readonly string[]): boolean {
  const name = basename(path);
  // Personal settings contain secrets.
  if (name.startsWith('.env') && !name.endsWith('.env.example')) return false;
  return patterns.some((pattern) => path.startsWith(`${pattern}/`) || matchesGlob(path, pattern));
}
