import { copyFile, link, mkdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAbsent, lstatIfThere, readRegularFile } from '../../../lib/files/storage.ts';
import { syncDirectory, syncFile, temporaryIn, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { keepFileSynced, makeParents } from './bundle-files.ts';

/**
 * A reinstall replaces file by file, because data directories under live bind mounts may not move. To be atomic, it
 * first puts every new file complete into a staging folder, then writes the journal. The remaining steps are only
 * renames, and can be repeated. The next start or change of the app finishes a remaining journal.
 *
 * A replaced file is kept in the staging folder as `old-N`. If a later step fails, the journal is renamed to mark a
 * roll-back. A roll-back therefore needs no disk space. The journal of an upgrade rolls back until the new containers
 * run. A staging folder without a journal is removed.
 */
export type Journal = {
  directory: string;
  staging: string;
  steps: JournalStep[];
  /** The record of the install, written once all steps are done. */
  record: { path: string; text: string };
};

export type JournalStep = {
  /** Relative to the app's directory. */
  path: string;
  /** The name of the staged file; `null` if the step only deletes. */
  staged: string | null;
  keepAs: string | null;
  /** Whether the path existed before. */
  existed: boolean;
  /** Whether the `keepAs` path existed before with the same content. */
  keptBefore: boolean;
};

const largestJournalBytes = 16 * 1024 * 1024;

/** The journal of an install, and its name while it rolls back. */
export function journalFiles(file: string): { onward: string; back: string } {
  return { onward: file, back: `${file}.back` };
}

export function hasJournal(file: string): boolean {
  return Object.values(journalFiles(file)).some((one) => lstatIfThere(one) !== null);
}

/** Whether a journal that was carried out provisionally is left. */
export function isTried(file: string): boolean {
  return lstatIfThere(journalFiles(file).back) !== null;
}

export type NewJournal = Omit<Journal, 'steps'> & { steps: NewStep[] };
export type NewStep = Omit<JournalStep, 'existed' | 'keptBefore'>;

/** Writes the journal and carries it out. On a failure rolls back and throws it. */
export async function runJournal(file: string, journal: NewJournal): Promise<void> {
  await writeFileAtomic(file, journalText(journal), 0o600);
  await finishJournal(file);
}

/** Carries out a journal provisionally: until `keepJournal` is called, `finishJournal` rolls it back. */
export async function tryJournal(file: string, journal: NewJournal): Promise<void> {
  const { back } = journalFiles(file);
  await writeFileAtomic(back, journalText(journal), 0o600);
  try {
    await moveFiles(readJournal(back) as Journal);
  } catch (error) {
    await putBack(file);
    throw error;
  }
}

/** Makes the steps of a tried journal final. */
export async function keepJournal(file: string): Promise<void> {
  const { onward, back } = journalFiles(file);
  await rename(back, onward);
  await syncDirectory(dirname(file));
  await finishJournal(file);
}

function journalText({ steps, ...journal }: NewJournal): string {
  const isThere = (path: string | null) => path !== null && lstatIfThere(join(journal.directory, path)) !== null;
  const known = steps.map((step) => ({ ...step, existed: isThere(step.path), keptBefore: isThere(step.keepAs) }));
  return JSON.stringify({ ...journal, steps: known });
}

/** Finishes or rolls back a journal; does nothing without one. */
export async function finishJournal(file: string): Promise<void> {
  const { onward, back } = journalFiles(file);
  const journal = readJournal(onward);
  if (journal !== null) {
    try {
      await carryOut(journal);
    } catch (error) {
      await rename(onward, back);
      await syncDirectory(dirname(back));
      await putBack(file);
      throw error;
    }
  } else await putBack(file);
  await discardJournal(file);
}

/** Removes a journal and its staging folder, whether it was carried out or not. */
export async function discardJournal(file: string): Promise<void> {
  for (const one of Object.values(journalFiles(file))) {
    const journal = readJournal(one);
    if (journal === null) continue;
    await rm(journal.staging, { recursive: true, force: true });
    await unlink(one);
  }
}

function readJournal(file: string): Journal | null {
  const text = readRegularFile(file, largestJournalBytes, 'refused');
  return text === null ? null : (JSON.parse(Buffer.from(text).toString('utf8')) as Journal);
}

async function carryOut(journal: Journal): Promise<void> {
  // The app may have been removed since.
  if (!lstatIfThere(journal.directory)?.isDirectory()) return;
  await moveFiles(journal);
  await mkdir(dirname(journal.record.path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(journal.record.path, journal.record.text, 0o600);
}

async function moveFiles(journal: Journal): Promise<void> {
  for (const [index, step] of journal.steps.entries()) await carryOutStep(step, index, journal);
  await syncFolders(journal);
}

async function syncFolders({ directory, steps }: Journal): Promise<void> {
  const folders = new Set(steps.map(({ path }) => dirname(join(directory, path))));
  for (const folder of folders) await unlessAbsent(syncDirectory(folder));
}

async function carryOutStep({ path, staged, keepAs }: JournalStep, index: number, journal: Journal): Promise<void> {
  const { directory, staging } = journal;
  const target = join(directory, path);
  if (staged !== null && lstatIfThere(join(staging, staged)) === null) return; // This step is already done.
  await keepOld(target, join(staging, `old-${index}`));
  // The owner's version must be on the disk before the new file replaces it.
  if (keepAs !== null && lstatIfThere(target) !== null) await keepFileSynced(target, join(directory, keepAs));
  if (staged === null) return unlessAbsent(unlink(target));
  await makeParents(directory, path);
  await move(join(staging, staged), target);
}

/**
 * Keeps the old file as a hard link, so that its first name always exists. Without hard links it is copied, and the
 * copy gets its name once complete: `putBack` would otherwise restore half a file.
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
async function putBack(file: string): Promise<void> {
  const journal = readJournal(journalFiles(file).back);
  if (journal === null) return;
  if (lstatIfThere(journal.directory)?.isDirectory()) {
    for (const [index, step] of [...journal.steps.entries()].reverse()) await putBackStep(step, index, journal);
    await syncFolders(journal);
  }
  await discardJournal(file);
}

async function putBackStep(step: JournalStep, index: number, { directory, staging }: Journal): Promise<void> {
  const target = join(directory, step.path);
  const isDone = step.staged === null || lstatIfThere(join(staging, step.staged)) === null;
  if (step.existed) await unlessAbsent(move(join(staging, `old-${index}`), target));
  else if (isDone) await unlessAbsent(unlink(target));
  if (step.keepAs !== null && !step.keptBefore) await unlessAbsent(unlink(join(directory, step.keepAs)));
}

/** A repeated step finds nothing left to move. */
async function unlessAbsent(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
