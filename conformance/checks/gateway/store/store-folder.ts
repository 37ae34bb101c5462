import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether a file is a SQLite database. */
export function isDatabase(file: string): boolean {
  return readFileSync(file).subarray(0, 16).equals(Buffer.from('SQLite format 3\0'));
}
