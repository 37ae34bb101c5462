import { copyFile, link, mkdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFileAtomic } from '../../lib/write-file.ts';
import { copyFileSynced, makeParents } from './bundle-files.ts';
import { isAbsent, look, readRegularFile } from './storage.ts';

/**
 * A reinstall goes file by file, because data directories under live bind mounts may not move. So that it is done
 * whole or not at all, every new file first lies complete in a staging folder; then the journal is written; from
 * there on the steps are only renames, and doing them again is harmless. Whoever finds the journal carries it out.
 * What a step replaces stays in the staging folder as `old-N`: when a later step fails, a second journal takes the
 * place of the first and puts everything back. A staging folder without a journal is thrown away.
 */
export type Journal = {
  directory: string;
  staging: string;
  steps: JournalStep[];
  /** The record of the install, written once all steps are done; null for one that puts back. */
  record: { path: string; text: string } | null;
};

export type JournalStep = {
  /** Relative to the app's directory. */
  path: string;
  /** The staged file that comes there; null where the one that stands there only goes. */
  staged: string | null;
  keepAs: string | null;
};

const largestJournalBytes = 16 * 1024 * 1024;

/** Writes the journal and carries it out; when that fails, everything is as it was and the failure is thrown. */
export async function runJournal(file: string, journal: Journal): Promise<void> {
  await writeFileAtomic(file, JSON.stringify(journal), 0o600);
  await finishJournal(file);
}

/** Carries out a journal that is there, or undoes it when it cannot be; without one there is nothing to do. */
export async function finishJournal(file: string): Promise<void> {
  const journal = readJournal(file);
  if (journal === null) return;
  try {
    await carryOut(journal);
  } catch (error) {
    await undo(file, journal);
    throw error;
  }
  await discardJournal(file);
}

/** Takes away a journal and what lies staged for it, carried out or not. */
export async function discardJournal(file: string): Promise<void> {
  const journal = readJournal(file);
  if (journal === null) return;
  await rm(journal.staging, { recursive: true, force: true });
  await unlink(file);
}

function readJournal(file: string): Journal | null {
  const text = readRegularFile(file, largestJournalBytes, 'refused');
  return text === null ? null : (JSON.parse(Buffer.from(text).toString('utf8')) as Journal);
}

async function carryOut(journal: Journal): Promise<void> {
  // The app may have been removed since.
  if (!look(journal.directory)?.isDirectory()) return;
  for (const [index, step] of journal.steps.entries()) await carryOutStep(step, index, journal);
  const folders = new Set(journal.steps.map(({ path }) => dirname(join(journal.directory, path))));
  for (const folder of folders) await unlessAbsent(syncDirectory(folder));
  if (journal.record === null) return;
  await mkdir(dirname(journal.record.path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(journal.record.path, journal.record.text, 0o600);
}

async function carryOutStep(
  { path, staged, keepAs }: JournalStep,
  index: number,
  journal: Journal,
): Promise<void> {
  const { directory, staging } = journal;
  const target = join(directory, path);
  if (staged !== null && look(join(staging, staged)) === null) return; // Done before the power went.
  await keepOld(target, join(staging, `old-${index}`));
  // The owner's version is on the disk before the new one takes its place.
  if (keepAs !== null) await unlessAbsent(copyFileSynced(target, join(directory, keepAs)));
  if (staged === null) return unlessAbsent(unlink(target));
  await makeParents(directory, path);
  await rename(join(staging, staged), target);
}

/** As a second name where the file system has such, so that the file never is without its first. */
async function keepOld(target: string, old: string): Promise<void> {
  if (look(target) === null || look(old) !== null) return;
  try {
    await link(target, old);
  } catch {
    await copyFile(target, old); // Its own failure tells what is wrong with the file, if anything is.
  }
}

/** Puts back what was replaced, takes away what was added. Done the way of a journal, it can be cut short too. */
async function undo(file: string, journal: Journal): Promise<void> {
  if (journal.record === null) return;
  const steps = journal.steps.flatMap((step, index) => undoStep(step, index, journal)).reverse();
  const back: Journal = { ...journal, steps, record: null };
  await writeFileAtomic(file, JSON.stringify(back), 0o600);
  await carryOut(back);
  await discardJournal(file);
}

function undoStep({ path, staged, keepAs }: JournalStep, index: number, { staging }: Journal): JournalStep[] {
  const old = `old-${index}`;
  const hasOld = look(join(staging, old)) !== null;
  const isDone = staged === null ? hasOld : look(join(staging, staged)) === null;
  const kept: JournalStep[] = hasOld && keepAs !== null ? [{ path: keepAs, staged: null, keepAs: null }] : [];
  if (!isDone) return kept;
  return [...kept, { path, staged: hasOld ? old : null, keepAs: null }];
}

/** A step that a run before this one has done finds nothing left to move. */
async function unlessAbsent(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
