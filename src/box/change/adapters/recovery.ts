import { chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lstatIfThere, namesIn, onStorage, storageFailed } from '../../../lib/files/storage.ts';
import type { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { isTemporaryName, sweepTemporaryFiles } from '../../../lib/files/write-file.ts';
import { makeUpdateFiles } from '../../../self-update/adapters/update-files.ts';
import type { Changes } from '../../core.ts';
import { type ChangeJournal, needsEngine } from '../rules/journal.ts';
import { finishFiles, hasFiles } from './exchange-files.ts';
import type { InstallDirectories } from './install-files.ts';
import { type Journals, makeJournals } from './journals.ts';
import { unfinishedRemovals } from './trash.ts';
import { stagingPrefix, type WorkFolder } from './work-folder.ts';

/** Throws if a directory exists but cannot be read, which ends the start. */
export function checkReadable(path: string): void {
  try {
    // `opendirSync` would load another module of Node.
    closeSync(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw storageFailed(`cannot read the directory ${path}`, error);
  }
}

/**
 * Closes a folder of the apps that its owner made for all to enter: a container can leave a program there that runs as
 * root for any user who starts it.
 */
export function closeToOthers(folder: string, warn: (text: string) => void): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o007) === 0) return;
  const reason = 'because an app can leave a program there that runs as root';
  // The heartbeat, which is root without its powers, would not get into a folder of somebody else's.
  const isOwn = stats.uid === process.getuid?.();
  try {
    if (!isOwn) throw new Error('it belongs to another user');
    chmodSync(folder, 0o700);
    warn(`${folder} was open to all users of this machine and has mode 700 now, ${reason}`);
  } catch {
    warn(
      `${folder} is open to all users of this machine: sudo chown root: ${folder} && sudo chmod 700 ${folder}, ${reason}`,
    );
  }
}

/**
 * Finishes or rolls back the files of a killed server before the first request; what needs the engine is left to the
 * first change. Without such work this takes a few directory reads; otherwise it waits for its turn among the changes.
 * `tell` gets the journal of an update that was ended so.
 */
export async function recover(
  directories: InstallDirectories,
  work: WorkFolder,
  changes: Changes,
  warn: (text: string) => void,
  tell: (journal: ChangeJournal) => void = () => undefined,
): Promise<void> {
  const journals = makeJournals(directories.state);
  const journal = journals.read();
  const isUnfinished =
    (journal !== null && (hasFiles(journal) || !needsEngine(journal))) ||
    stagingFolders(work).length > 0 ||
    (existsSync(work.path) && namesIn(work.path).length === 0) ||
    unfinishedRemovals(directories, work).length > 0 ||
    foldersWithLeftovers(directories).length > 0;
  if (!isUnfinished) return;
  await changes.run(async () => {
    await finishUnderWay(journals, warn, tell);
    await onStorage('cannot clean up after the last run', async () => {
      await sweepStaging([journals.read(), ...journals.waiting.all()], work);
      for (const folder of unfinishedRemovals(directories, work)) await rmdir(folder);
      for (const folder of foldersWithLeftovers(directories)) await sweep(folder, directories);
    });
  });
}

/** If the files cannot be exchanged or put back, warns; the next change tries it again. */
async function finishUnderWay(
  journals: Journals,
  warn: (text: string) => void,
  tell: (journal: ChangeJournal) => void,
) {
  const journal = journals.read();
  if (journal === null) return;
  const isEnded = journal.operation === 'update' && !needsEngine(journal);
  await onStorage(`the last install of ${journal.app} cannot be finished`, () => finishFiles(journals, journal)).then(
    () => isEnded && tell(journal),
    (error: StorageFailed) => warn(error.message),
  );
}

function stagingFolders(work: WorkFolder): string[] {
  const names = namesIn(work.path).filter((name) => name.startsWith(stagingPrefix));
  return names.map((name) => join(work.path, name));
}

/** Removes the staged files that no journal needs. */
async function sweepStaging(journals: readonly (ChangeJournal | null)[], work: WorkFolder): Promise<void> {
  const needed = journals.map((journal) => journal?.files?.staging);
  for (const folder of stagingFolders(work)) {
    if (!needed.includes(folder)) await rm(folder, { recursive: true, force: true });
  }
  work.close();
}

/** A running update writes into the state directory without waiting for its turn, so its files are not leftovers. */
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

/** The folders in which a killed write can leave a temporary file. Nothing is written in their subfolders. */
function foldersWithLeftovers({ installed, state }: InstallDirectories): string[] {
  const root = resolve(installed);
  const apps = namesIn(root)
    .map((name) => join(root, name))
    .filter((path) => lstatIfThere(path)?.isDirectory());
  const own = ['.', 'installs'].map((name) => join(resolve(state), name));
  return [...own, ...apps].filter((folder) => namesIn(folder).some(isTemporaryName));
}
