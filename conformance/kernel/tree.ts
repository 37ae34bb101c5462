import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Of a later moment, the entries that there were before: others may have come. */
export function onlyOf(
  before: Record<string, string>,
  later: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(later).filter(([path]) => Object.hasOwn(before, path)));
}

/** Every entry below a folder with its mode and content, so that two moments can be compared; empty if absent. */
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
  return Object.assign(
    { [key]: `folder ${mode}` },
    ...inside.map((name) => treeDigest(folder, join(relative, name))),
  );
}
