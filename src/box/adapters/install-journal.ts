import { copyFile, mkdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFileAtomic } from '../../lib/write-file.ts';
import { makeParents } from './bundle-files.ts';
import { isAbsent, look, readRegularFile } from './storage.ts';

/**
 * A reinstall goes file by file, because data directories under live bind mounts may not move. So that it is done
 * whole or not at all, every new file first lies complete in a staging folder; then the journal is written; from
 * there on the steps are only renames, and doing them again is harmless. Whoever finds the journal carries it out;
 * a staging folder without a journal is thrown away.
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
};

const largestJournalBytes = 16 * 1024 * 1024;

/** Writes the journal and carries it out. */
export async function runJournal(file: string, journal: Journal): Promise<void> {
  await writeFileAtomic(file, JSON.stringify(journal), 0o600);
  await finishJournal(file);
}

/** Carries out a journal that is there; without one there is nothing to do. */
export async function finishJournal(file: string): Promise<void> {
  const text = readRegularFile(file, largestJournalBytes, 'refused');
  if (text === null) return;
  const journal = JSON.parse(Buffer.from(text).toString('utf8')) as Journal;
  if (look(journal.directory)?.isDirectory()) {
    for (const step of journal.steps) await carryOut(step, journal);
    await syncFolders(journal);
    await mkdir(dirname(journal.record.path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(journal.record.path, journal.record.text, 0o600);
  }
  await rm(journal.staging, { recursive: true, force: true });
  await unlink(file);
}

async function carryOut({ path, staged, keepAs }: JournalStep, journal: Journal): Promise<void> {
  const target = join(journal.directory, path);
  const kept = keepAs === null ? null : join(journal.directory, keepAs);
  if (staged === null) {
    if (kept !== null) await unlessAbsent(rename(target, kept));
    else await unlessAbsent(unlink(target));
    return;
  }
  const source = join(journal.staging, staged);
  if (look(source) === null) return; // Done before the power went.
  await makeParents(journal.directory, path);
  if (kept !== null) await unlessAbsent(copyFile(target, kept));
  await rename(source, target);
}

async function syncFolders({ directory, steps }: Journal): Promise<void> {
  const folders = new Set(steps.map(({ path }) => dirname(join(directory, path))));
  for (const folder of folders) await unlessAbsent(syncDirectory(folder));
}

/** A step that a run before this one has done finds nothing left to move. */
async function unlessAbsent(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
