import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The entries of a later digest that were in the earlier one too. */
export function onlyOf(before: Record<string, string>, later: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(later).filter(([path]) => Object.hasOwn(before, path)));
}

/** Describes every entry below a folder by mode and content, for comparison. Empty if the folder does not exist. */
export function treeDigest(folder: string, relative = ''): Record<string, string> {
  const here = join(folder, relative);
  const found = lstatSync(here, { throwIfNoEntry: false });
  if (found === undefined) return {};
  const key = relative === '' ? '.' : relative;
  const mode = (found.mode & 0o7777).toString(8);
  if (found.isSymbolicLink()) return { [key]: `link ${readlinkSync(here)}` };
  if (found.isFile()) {
    return { [key]: `file ${mode} ${createHash('sha256').update(readFileSync(here)).digest('hex')}` };
  }
  if (!found.isDirectory()) return { [key]: `other ${mode}` };
  const inside = readdirSync(here).sort();
  return Object.assign({ [key]: `folder ${mode}` }, ...inside.map((name) => treeDigest(folder, join(relative, name))));
}
