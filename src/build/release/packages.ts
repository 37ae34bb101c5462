import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseFailed } from './failure.ts';

export type Lockfile = {
  packages: Record<string, { version?: string; integrity?: string } | undefined>;
};

/** `integrity`: the digest in package-lock.json, `sha512-BASE64`. `licence`: an SPDX expression. */
export type BundledPackage = ReturnType<typeof readPackage>;

/** Folders of the packages in the bundles. Throws ReleaseFailed for files outside of packages. */
export function packageFolders(inputs: readonly string[]): string[] {
  const outside = inputs.find((path) => path.startsWith('..') || path.startsWith('/'));
  if (outside !== undefined) {
    throw new ReleaseFailed(`the build read ${outside}, which is outside of the checkout: run npm ci in the checkout`);
  }
  const folders = inputs.flatMap((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

type Manifest = { name: string; version: string; license?: unknown };

/** Reads a package of node_modules with its licence. Throws ReleaseFailed. */
export function readPackage(root: string, lock: Lockfile, folder: string) {
  const { name, version, license }: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const locked = lock.packages[folder];
  if (locked?.integrity === undefined || locked.version !== version) {
    throw new ReleaseFailed(`${folder} has version ${version}, package-lock.json ${locked?.version}: run npm ci`);
  }
  const licenceText = licenceIn(join(root, folder));
  if (typeof license !== 'string' || licenceText === '') {
    throw new ReleaseFailed(`${folder} names no licence, or its text is in no file LICENSE and not in README.md`);
  }
  return { name, version, integrity: locked.integrity, licence: license, licenceText };
}

/** The licence and notice files of a package. Some packages have only a section at the end of their README. */
function licenceIn(folder: string): string {
  const names = readdirSync(folder).sort();
  const files = names.filter((name) => /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i.test(name));
  if (files.length > 0) return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  if (readme === undefined) return '';
  return /^#+ *licen[cs]e\b.*/ims.exec(readFileSync(join(folder, readme), 'utf8'))?.[0] ?? '';
}
