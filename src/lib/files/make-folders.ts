import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and its parents; true if the folder was missing. Replaces the `recursive` option of Node's `mkdir`.
 * That option hangs where the kernel makes no folders, as in /proc, and reports a read-only disk as ENOENT.
 * @param mode - mode of every new folder, narrowed by the umask
 */
export function makeFolders(path: string, mode: number): boolean {
  if (isFolder(path)) return false;
  if (dirname(path) !== path) makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (isFolder(path)) return false; // Another process has created it meanwhile.
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Makes the folder of the apps for its owner alone, because a container can leave any file there. */
export function makeAppsFolder(path: string): void {
  makeFolders(dirname(path), 0o755);
  makeFolders(path, 0o700);
}
