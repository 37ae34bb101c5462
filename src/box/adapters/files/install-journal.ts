import { copyFile, link, mkdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAbsent, lstatIfThere, readRegularFile } from '../../../lib/files/storage.ts';
import { syncDirectory, syncFile, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { keepFileSynced, makeParents } from './bundle-files.ts';

/**
 * A reinstall goes file by file, because data directories under live bind mounts may not move. So that it is done
 * whole or not at all, every new file first lies complete in a staging folder; then the journal is written; from
 * there on the steps are only renames, and doing them again is harmless. Whoever finds the journal carries it out.
 *
 * What a step replaces stays in the staging folder as `old-N`. When a later step fails, the journal is renamed and
 * from then on is one to put everything back: on a full disk nothing more needs to be written for that. The journal of
 * an upgrade is one to put everything back until its containers run. A staging folder without a journal is thrown away.
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
  /** The staged file that comes there; null where the one that stands there only goes. */
  staged: string | null;
  keepAs: string | null;
  /** Whether something stood there before. */
  existed: boolean;
  /** Whether the name to keep it under was taken before, by the same content. */
  keptBefore: boolean;
};

const largestJournalBytes = 16 * 1024 * 1024;

/** Where the journal of an install is, and where it is while it puts things back. */
export function journalFiles(file: string): { onward: string; back: string } {
  return { onward: file, back: `${file}.back` };
}

export function hasJournal(file: string): boolean {
  return Object.values(journalFiles(file)).some((one) => lstatIfThere(one) !== null);
}

export type NewJournal = Omit<Journal, 'steps'> & { steps: NewStep[] };
export type NewStep = Omit<JournalStep, 'existed' | 'keptBefore'>;

/** Writes the journal and carries it out; when that fails, everything is as it was and the failure is thrown. */
export async function runJournal(file: string, journal: NewJournal): Promise<void> {
  await writeFileAtomic(file, journalText(journal), 0o600);
  await finishJournal(file);
}

/**
 * Carries out a journal that is one to put everything back from the start: `finishJournal` does that, until
 * `keepJournal`.
 */
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

/** Makes what a tried journal did final. */
export async function keepJournal(file: string): Promise<void> {
  const { onward, back } = journalFiles(file);
  await rename(back, onward);
  await syncDirectory(dirname(file));
  await finishJournal(file);
}

function journalText({ steps, ...journal }: NewJournal): string {
  const isThere = (path: string | null) =>
    path !== null && lstatIfThere(join(journal.directory, path)) !== null;
  const known = steps.map((step) => ({
    ...step,
    existed: isThere(step.path),
    keptBefore: isThere(step.keepAs),
  }));
  return JSON.stringify({ ...journal, steps: known });
}

/** Carries out a journal that is there, or puts everything back; without one there is nothing to do. */
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

/** Takes away a journal and what lies staged for it, carried out or not. */
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

async function carryOutStep(
  { path, staged, keepAs }: JournalStep,
  index: number,
  journal: Journal,
): Promise<void> {
  const { directory, staging } = journal;
  const target = join(directory, path);
  if (staged !== null && lstatIfThere(join(staging, staged)) === null) return; // Done before the power went.
  await keepOld(target, join(staging, `old-${index}`));
  // The owner's version is on the disk before the new one takes its place.
  if (keepAs !== null && lstatIfThere(target) !== null) await keepFileSynced(target, join(directory, keepAs));
  if (staged === null) return unlessAbsent(unlink(target));
  await makeParents(directory, path);
  await rename(join(staging, staged), target);
}

/**
 * As a second name where the file system has such, so that the file never is without its first. Elsewhere as a copy,
 * which gets that name once it is whole: `putBack` would put half a copy in the file's place.
 */
async function keepOld(target: string, old: string): Promise<void> {
  if (lstatIfThere(target) === null || lstatIfThere(old) !== null) return;
  try {
    await link(target, old);
  } catch {
    const part = `${old}.part`;
    await rm(part, { force: true });
    await copyFile(target, part); // Its own failure tells what is wrong with the file, if anything is.
    await syncFile(part);
    await rename(part, old);
  }
}

/** Puts back what was replaced, takes away what was added; doing it again is harmless. */
async function putBack(file: string): Promise<void> {
  const journal = readJournal(journalFiles(file).back);
  if (journal === null) return;
  if (lstatIfThere(journal.directory)?.isDirectory()) {
    for (const [index, step] of [...journal.steps.entries()].reverse())
      await putBackStep(step, index, journal);
    await syncFolders(journal);
  }
  await discardJournal(file);
}

async function putBackStep(step: JournalStep, index: number, { directory, staging }: Journal): Promise<void> {
  const target = join(directory, step.path);
  const isDone = step.staged === null || lstatIfThere(join(staging, step.staged)) === null;
  if (step.existed) await unlessAbsent(rename(join(staging, `old-${index}`), target));
  else if (isDone) await unlessAbsent(unlink(target));
  if (step.keepAs !== null && !step.keptBefore) await unlessAbsent(unlink(join(directory, step.keepAs)));
}

/** A step that a run before this one has done finds nothing left to move. */
async function unlessAbsent(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
