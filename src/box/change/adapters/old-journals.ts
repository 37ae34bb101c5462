import { rm, unlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { namesIn, readRegularFile } from '../../../lib/files/storage.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { ChangeJournal, FileExchange } from '../rules/journal.ts';
import type { Journals } from './journals.ts';

/** Journals of boxgate up to version 0.1.0: one of backups, and one of files for each app. */
type OldBackup = Pick<ChangeJournal, 'folders' | 'images' | 'toTrash' | 'starts' | 'snapshot'> & {
  app: string;
  step: 'away' | 'updating' | 'filling' | 'swapping';
  operation?: string;
  version?: string;
};

const largestFileBytes = 16 * 1024 * 1024;
const filesName = /\.journal\.json(\.back)?$/;

function oldFiles(state: string): { backups: string[]; installs: string[] } {
  const pathsIn = (folder: string) => namesIn(folder).map((name) => join(folder, name));
  const root = resolve(state);
  const backups = pathsIn(root).filter((path) => basename(path) === 'backup-journal.json');
  return {
    backups: [...backups, ...pathsIn(join(root, 'backup-waiting'))],
    installs: pathsIn(join(root, 'installs')).filter((path) => filesName.test(path)),
  };
}

/** Those that an older version has left. */
export function readOldJournals(directories: { installed: string; state: string }): ChangeJournal[] {
  const { backups, installs } = oldFiles(directories.state);
  const found = new Map<string, ChangeJournal>();
  const add = (journal: ChangeJournal) => found.set(journal.app, { ...found.get(journal.app), ...journal });
  for (const file of installs) {
    const files = readObject<FileExchange>(file);
    const isBack = file.endsWith('.back');
    const change = isBack
      ? ({ operation: 'update', way: 'back' } as const)
      : ({ operation: 'install', way: 'forth' } as const);
    if (files !== null) add({ app: basename(files.directory), ...change, files });
  }
  for (const file of backups) {
    const old = readObject<OldBackup>(file);
    if (old === null) continue;
    const { step, version, operation, ...named } = old;
    const manifest = readObject<{ version?: string }>(join(directories.installed, old.app, 'manifest.json'));
    const isKept = step === 'updating' && found.get(old.app)?.way !== 'back' && manifest?.version !== version;
    const operations = { away: operation ?? 'backup', updating: 'update', filling: 'restore', swapping: 'restore' };
    if (isKept) add({ app: old.app, operation: 'update', way: 'forth' });
    else add({ ...named, operation: operations[step], way: step === 'swapping' ? 'forth' : 'back' });
  }
  return [...found.values()];
}

/** Makes waiting journals of them. Can be repeated after a crash. */
export async function adoptOldJournals(directories: { installed: string; state: string }, journals: Journals) {
  const { backups, installs } = oldFiles(directories.state);
  const waiting = new Map(journals.waiting().map((journal) => [journal.app, journal]));
  for (const journal of readOldJournals(directories))
    await journals.writeWaiting({ ...waiting.get(journal.app), ...journal });
  // The files last, as they tell whether a new version was kept.
  for (const file of [...backups, ...installs]) await unlink(file);
  await rm(join(resolve(directories.state), 'backup-waiting'), { recursive: true, force: true });
}

function readObject<T extends object>(file: string): T | null {
  const bytes = readRegularFile(file, largestFileBytes, 'refused');
  const value = parseJson(Buffer.from(bytes ?? []).toString('utf8'));
  return isJsonObject(value) ? (value as T) : null;
}
