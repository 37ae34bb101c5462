import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts folders in the place of files, so that a rename or an unlink fails. Returns a function that puts the files back,
 * but only where the folder still is: a gateway may clear what bears the name of its own file, and what it has put or
 * removed there is right.
 */
export function blockFiles(files: readonly string[]): () => void {
  const before = files.map((file) => readFileSync(file));
  for (const file of files) {
    rmSync(file);
    mkdirSync(join(file, 'within'), { recursive: true });
  }
  return () => {
    for (const [index, file] of files.entries()) {
      if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      rmSync(file, { recursive: true });
      writeFileSync(file, before[index] ?? '');
    }
  };
}
