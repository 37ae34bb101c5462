import { closeSync, constants, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lstatIfThere, namesIn, onStorage, storageFailed } from '../../../lib/files/storage.ts';
import { isTemporaryName, sweepTemporaryFiles } from '../../../lib/files/write-file.ts';
import { makeUpdateFiles } from '../../../self-update/adapters/update-files.ts';
import type { Changes } from '../../ports.ts';
import { hasUnfinishedInstall, type InstallDirectories, recoverInstalls } from './install-files.ts';
import { hasUnfinishedRemoval, sweepTrash } from './trash.ts';
import type { WorkFolder } from './work-folder.ts';

/** Ends a start over a directory that cannot be read; one that is absent is no fault. */
export function checkReadable(path: string): void {
  try {
    // In place of opendirSync, whose part of Node would have to be loaded for it.
    closeSync(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw storageFailed(`cannot read the directory ${path}`, error);
  }
}

/**
 * Finishes or undoes what a server that was killed left half done, before anybody is answered. Looking for it costs
 * a few directory reads; only when there is something does it take its turn among the changes.
 */
export async function recover(
  directories: InstallDirectories,
  work: WorkFolder,
  changes: Changes,
  warn: (text: string) => void,
): Promise<void> {
  const isUnfinished =
    hasUnfinishedInstall(directories, work) ||
    hasUnfinishedRemoval(directories, work) ||
    foldersWithLeftovers(directories).length > 0;
  if (!isUnfinished) return;
  await changes.run(async () => {
    await recoverInstalls(directories, work, warn);
    await onStorage('cannot clean up after the last run', async () => {
      await sweepTrash(directories, work);
      for (const folder of foldersWithLeftovers(directories)) await sweep(folder, directories);
    });
  });
}

/** In the state directory itself an update that runs writes as well, out of turn: what lies there is not left over yet. */
async function sweep(folder: string, { state }: InstallDirectories): Promise<void> {
  if (folder !== resolve(state)) return sweepTemporaryFiles(folder);
  const lock = await makeUpdateFiles(state).tryLock();
  if (lock === null) return;
  try {
    await sweepTemporaryFiles(folder);
  } finally {
    lock.release();
  }
}

/** Where a write was cut short: files are only ever written in these folders, not below them. */
function foldersWithLeftovers({ installed, state }: InstallDirectories): string[] {
  const root = resolve(installed);
  const apps = namesIn(root)
    .map((name) => join(root, name))
    .filter((path) => lstatIfThere(path)?.isDirectory());
  const own = [resolve(state), join(resolve(state), 'installs')];
  return [...own, ...apps].filter((folder) => namesIn(folder).some(isTemporaryName));
}
