import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with its content; skips files that are removed meanwhile. */
export function readFolder(folder: string): { path: string; bytes: Buffer }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      try {
        return [{ path, bytes: readFileSync(path) }];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
}
