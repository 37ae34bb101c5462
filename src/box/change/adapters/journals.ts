import { rename, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lstatIfThere, namesIn, onStorage, readRegularFile, unlessAbsent } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { WaitingWork } from '../ports.ts';
import type { ChangeJournal, Way } from '../rules/journal.ts';
import { recordKey } from './install-records.ts';

const largestJournalBytes = 16 * 1024 * 1024;

/** The name of the file says which way the journal goes, so that turning it needs no room on the disk. */
const suffixes: Record<Way, string> = { forth: '', back: '.back' };

/** The journals in the state directory. `file` is a name without suffix. */
export type Journals = ReturnType<typeof makeJournals>;

export function makeJournals(stateDirectory: string) {
  const state = resolve(stateDirectory);
  const underWay = join(state, 'change-journal.json');
  return {
    file: underWay,
    read: () => readEither(underWay),
    async write(journal: ChangeJournal) {
      await writeJournal(underWay, journal);
      if (journal.way === 'forth') await unlink(`${underWay}${suffixes.back}`).catch(unlessAbsent);
    },
    async turn(to: Way) {
      const from = to === 'forth' ? 'back' : 'forth';
      await rename(`${underWay}${suffixes[from]}`, `${underWay}${suffixes[to]}`);
      await syncDirectory(state);
    },
    /** In this order, as `forth` counts if both are there. */
    async close() {
      for (const way of ['back', 'forth'] as const) await unlink(`${underWay}${suffixes[way]}`).catch(unlessAbsent);
      await syncDirectory(state);
    },
    waiting: waitingIn(state, underWay),
  };
}

/** Journals wait in the same folder, so that setting one aside needs no room on the disk. */
function waitingIn(state: string, underWay: string): WaitingWork {
  const prefix = 'change-waiting-';
  const fileOf = (app: string) => join(state, `${prefix}${recordKey(app)}.json`);
  const all = () => {
    const names = namesIn(state).filter((name) => name.startsWith(prefix));
    return names.flatMap((name) => readEither(join(state, name.replace(/\.back$/, ''))) ?? []);
  };
  return {
    all,
    apps: () => all().map(({ app }) => app),
    snapshotOf: (name) => all().find(({ app, way }) => app === name && way === 'back')?.snapshot,
    file: (app) => `${fileOf(app)}${suffixes.back}`,
    setAside: (app) => move(underWay, fileOf(app)),
    takeUp: (app) => move(fileOf(app), underWay),
  };
}

function move(from: string, to: string): Promise<void> {
  return onStorage(`cannot move ${from}`, async () => {
    const isForth = lstatIfThere(from) !== null;
    if (isForth) await unlink(`${from}${suffixes.back}`).catch(unlessAbsent);
    const suffix = suffixes[isForth ? 'forth' : 'back'];
    await rename(`${from}${suffix}`, `${to}${suffix}`);
    await syncDirectory(dirname(to));
  });
}

async function writeJournal(file: string, { way, ...journal }: ChangeJournal): Promise<void> {
  await writeFileAtomic(`${file}${suffixes[way]}`, `${JSON.stringify(journal)}\n`, 0o600);
}

function readEither(file: string): ChangeJournal | null {
  for (const way of ['forth', 'back'] as const) {
    const bytes = readRegularFile(`${file}${suffixes[way]}`, largestJournalBytes, 'refused');
    const journal = parseJson(Buffer.from(bytes ?? []).toString('utf8'));
    if (isJsonObject(journal)) return { ...journal, way } as ChangeJournal;
  }
  return null;
}
