import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes the files of a folder whose names end so, but for those that are kept; folders in it stay as they are. */
export function removeAll(folder: string, ending: string, kept: ReadonlySet<string> = new Set()): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(ending) || kept.has(entry.name)) continue;
    // Another build of the same folder may have been there first.
    rmSync(join(folder, entry.name), { force: true });
  }
}
