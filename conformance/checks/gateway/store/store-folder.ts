import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
