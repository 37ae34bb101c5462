import { copyFile, link, mkdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatIfThere, namesIn, unlessAbsent } from '../../../lib/files/storage.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { syncDirectory, syncFile, temporaryIn, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { type ChangeJournal, type FileExchange, type FileStep, needsEngine } from '../rules/journal.ts';
import { copyFileSynced, makeParents } from './bundle-files.ts';
import type { Journals } from './journals.ts';

/**
 * A reinstall replaces file by file, because data directories under live bind mounts may not move. To be atomic, it
 * first puts every new file complete into a staging folder, then writes the journal. The remaining steps are only
 * renames, and can be repeated. A replaced file is kept in the staging folder as `old-N`, so that a roll-back needs no
 * disk space. The staging folder goes when all files are in place, or back.
 */
export type NewStep = Omit<FileStep, 'existed' | 'keptBefore'>;

/** Notes what is there now. */
export function plannedSteps(directory: string, steps: readonly NewStep[]): FileStep[] {
  const isThere = (path: string | null) => path !== null && lstatIfThere(join(directory, path)) !== null;
  return steps.map((step) => ({ ...step, existed: isThere(step.path), keptBefore: isThere(step.keepAs) }));
}

/** Whether the files of a journal still have to be exchanged or put back. */
export function hasFiles({ files }: ChangeJournal): boolean {
  return files !== undefined && lstatIfThere(files.staging) !== null;
}

/**
 * Exchanges the files of the journal, or puts them back. If an exchange fails, turns the journal, puts the files back
 * and throws the failure. Closes a journal that names only files.
 */
export async function finishFiles(journals: Journals, journal: ChangeJournal): Promise<void> {
  const { files, way } = journal;
  if (files !== undefined) refuseAway(files);
  if (files !== undefined && hasFiles(journal)) {
    if (way === 'back') await putFilesBack(files);
    else {
      try {
        await carryOut(files);
      } catch (error) {
        await journals.turn('back');
        await finishFiles(journals, { ...journal, way: 'back' });
        throw error;
      }
    }
    await rm(files.staging, { recursive: true, force: true });
  }
  if (!needsEngine(journal)) await journals.close();
}

/** A disk that is away is no end: its folders are missing, or an empty mount point is in the place of the app's. */
function refuseAway({ directory, staging }: FileExchange): void {
  const isThere = lstatIfThere(directory)?.isDirectory() === true;
  if (!isThere && lstatIfThere(staging) === null) {
    const advice = `mount the disk that had them, or make an empty folder ${staging} to go on without`;
    throw new StorageFailed(`neither ${staging} nor ${directory} is there: ${advice}`);
  }
  if (isThere && namesIn(directory).length === 0)
    throw new StorageFailed(`${directory} is empty: mount its disk, or remove the folder to go on without`);
}

/** Exchanges files provisionally: the journal still puts them back. A failure does so at once, and is thrown. */
export async function tryFiles(journals: Journals, journal: ChangeJournal & { files: FileExchange }): Promise<void> {
  try {
    await moveFiles(journal.files);
  } catch (error) {
    await finishFiles(journals, journal);
    throw error;
  }
}

async function carryOut(files: FileExchange): Promise<void> {
  // The app may have been removed since.
  if (!lstatIfThere(files.directory)?.isDirectory()) return;
  await moveFiles(files);
  if (files.record === null) return;
  await mkdir(dirname(files.record.path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(files.record.path, files.record.text, 0o600);
}

async function moveFiles(files: FileExchange): Promise<void> {
  for (const [index, step] of files.steps.entries()) await carryOutStep(step, index, files);
  await syncFolders(files);
}

async function syncFolders({ directory, steps }: FileExchange): Promise<void> {
  const folders = new Set(steps.map(({ path }) => dirname(join(directory, path))));
  for (const folder of folders) await syncDirectory(folder).catch(unlessAbsent);
}

async function carryOutStep({ path, staged, keepAs }: FileStep, index: number, files: FileExchange): Promise<void> {
  const { directory, staging } = files;
  const target = join(directory, path);
  if (staged !== null && lstatIfThere(join(staging, staged)) === null) return; // This step is already done.
  await keepOld(target, join(staging, `old-${index}`));
  // The owner's version must be on the disk before the new file replaces it.
  if (keepAs !== null && lstatIfThere(target) !== null) await copyFileSynced(target, join(directory, keepAs));
  if (staged === null) return unlink(target).catch(unlessAbsent);
  await makeParents(directory, path);
  await move(join(staging, staged), target);
}

/**
 * Keeps the old file as a hard link, so that its first name always exists. Without hard links it is copied, and the
 * copy gets its name once complete: `putFilesBack` would otherwise restore half a file.
 */
async function keepOld(target: string, old: string): Promise<void> {
  if (lstatIfThere(target) === null || lstatIfThere(old) !== null) return;
  try {
    await link(target, old);
  } catch {
    const part = `${old}.part`;
    await rm(part, { force: true });
    await copyFile(target, part); // If the old file is faulty, this call fails and names it.
    await syncFile(part);
    await rename(part, old);
    // The target may be on another disk, where the new file can become durable earlier.
    await syncDirectory(dirname(old));
  }
}

/** The app's directory, or a folder in it, may be a disk of its own. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const part = temporaryIn(dirname(to));
    await copyFile(from, part);
    await syncFile(part);
    await rename(part, to);
    await unlink(from);
  }
}

/** Restores replaced files and removes added ones. Can be repeated. */
async function putFilesBack(files: FileExchange): Promise<void> {
  if (!lstatIfThere(files.directory)?.isDirectory()) return;
  for (const [index, step] of [...files.steps.entries()].reverse()) await putBackStep(step, index, files);
  await syncFolders(files);
}

/** A repeated step finds nothing left to move. */
async function putBackStep(step: FileStep, index: number, { directory, staging }: FileExchange): Promise<void> {
  const target = join(directory, step.path);
  const isDone = step.staged === null || lstatIfThere(join(staging, step.staged)) === null;
  if (step.existed) {
    const old = join(staging, `old-${index}`);
    // Docker makes an empty directory where the file of a mount is missing.
    if (lstatIfThere(old) !== null && lstatIfThere(target)?.isDirectory()) await rmdir(target);
    await move(old, target).catch(unlessAbsent);
  } else if (isDone) await unlink(target).catch(unlessAbsent);
  if (step.keepAs !== null && !step.keptBefore) await unlink(join(directory, step.keepAs)).catch(unlessAbsent);
}
