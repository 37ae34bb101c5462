import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes files by the ending of their names, except the kept ones. Ignores subfolders. */
export function removeAll(folder: string, ending: string, kept: ReadonlySet<string> = new Set()): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(ending) || kept.has(entry.name)) continue;
    // A parallel build may have removed it.
    rmSync(join(folder, entry.name), { force: true });
  }
}
