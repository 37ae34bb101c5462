import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAbsent, lstatIfThere, namesIn, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic, writeSynced } from '../../../lib/files/write-file.ts';
import { planRefresh, type RefreshPlan } from '../../apps/rules/refresh-plan.ts';
import type { InstallFiles, StorageFailed } from '../../ports.ts';
import { bundleDigests, copyDirectoryMode, copyFileSynced, installedFile, listBundleFiles } from './bundle-files.ts';
import {
  discardJournal,
  finishJournal,
  hasJournal,
  isTried,
  keepJournal,
  type NewJournal,
  type NewStep,
  runJournal,
  tryJournal,
} from './install-journal.ts';
import { isSameInstall, lastInstall, recordKey, recordPath, recordText } from './install-records.ts';
import { fillPreview } from './preview-folder.ts';
import { stagingPrefix, type WorkFolder } from './work-folder.ts';

export type InstallDirectories = { installed: string; state: string };

const largestEnvBytes = 16 * 1024 * 1024;

/** Limited, because each copy has two files open. */
const copiesAtATime = 16;

/** A record's key has no dot, so no record can have this name. */
const journalSuffix = '.journal.json';

type Places = { installed: string; records: string; work: WorkFolder };

export function makeInstallFiles(directories: InstallDirectories, work: WorkFolder): InstallFiles {
  const places = placesOf(directories, work);
  return {
    place: (name, source, env, check) => placeNew(places, name, source, env, check),
    planRefresh: (name, source) =>
      onStorage(`cannot compare ${name} with its bundle`, async () => {
        const app = join(places.installed, name);
        const { digests, leftOut } = await bundleDigests(source);
        const last = lastInstall(places.records, name);
        return planRefresh(digests, leftOut, (path) => installedFile(app, path), last);
      }),
    refresh: (name, source, plan, env) =>
      onStorage(`cannot refresh ${name}`, async () => {
        const isDone = plan.steps.length === 0 && env === null;
        if (isDone && isSameInstall(plan.bundle, lastInstall(places.records, name))) return;
        await refreshFiles(places, name, source, plan, env);
      }),
    exchange: (name, source, plan, env) =>
      onStorage(`cannot exchange the files of ${name}`, () =>
        refreshFiles(places, name, source, plan, env, tryJournal),
      ),
    swapEnv: (name, env) =>
      onStorage(`cannot write the .env of ${name}`, () => {
        const plan = { steps: [], bundle: lastInstall(places.records, name) };
        return refreshFiles(places, name, '', plan, env);
      }),
    keep: (name) =>
      onStorage(`cannot keep the new files of ${name}`, async () => {
        await keepJournal(journalPath(places, name));
        places.work.close();
      }),
    preview: (name, source, plan, env, use) =>
      staged(places, name, async (staging) => {
        const app = join(places.installed, name);
        await onStorage(`cannot make a preview of ${name}`, () => fillPreview(staging, app, source, plan, env));
        return use(staging);
      }),
    withEnv: (name, env, use) =>
      staged(places, name, async (staging) => {
        const file = join(staging, '.env');
        await onStorage(`cannot write the planned .env of ${name}`, () => writeSynced(file, env, 0o600, 'w'));
        return use(file);
      }),
    finish: (name) => onStorage(`cannot finish the last install of ${name}`, () => finish(places, recordKey(name))),
    forget: (name) =>
      onStorage(`cannot forget the install of ${name}`, async () => {
        await discardJournal(journalPath(places, name));
        await unlinkIfThere(recordPath(places.records, name));
        places.work.close();
      }),
  };
}

/**
 * Finishes each interrupted install whose files are complete, and rolls the others back. If one cannot be finished,
 * warns and goes on; the next change of that app reports it. `tell` gets each app whose upgrade was rolled back.
 */
export async function recoverInstalls(
  directories: InstallDirectories,
  work: WorkFolder,
  warn: (text: string) => void,
  tell: (app: string) => void,
): Promise<void> {
  const places = placesOf(directories, work);
  const byKey = new Map(namesIn(places.installed).map((name) => [recordKey(name), name]));
  for (const key of journaledApps(places)) {
    const app = isTried(journalFile(places, key)) ? byKey.get(key) : undefined;
    await onStorage(`the last install of ${key} cannot be finished`, () => finish(places, key)).then(
      () => app !== undefined && tell(app),
      (error: StorageFailed) => warn(error.message),
    );
  }
  if (journaledApps(places).length > 0) return; // A remaining journal may still need its staged files.
  for (const folder of stagingFolders(work)) await rm(folder, { recursive: true, force: true });
  work.close();
}

export function hasUnfinishedInstall(directories: InstallDirectories, work: WorkFolder): boolean {
  const isLeft = (place: string) => existsSync(place) && namesIn(place).length === 0;
  if (journaledApps(placesOf(directories, work)).length > 0) return true;
  return stagingFolders(work).length > 0 || work.places.some(isLeft);
}

function journaledApps({ records }: Places): string[] {
  const names = namesIn(records).filter((name) => name.includes(journalSuffix));
  return [...new Set(names.map((name) => name.slice(0, name.indexOf(journalSuffix))))];
}

function placesOf({ installed, state }: InstallDirectories, work: WorkFolder): Places {
  return { installed: resolve(installed), records: join(resolve(state), 'installs'), work };
}

async function finish(places: Places, key: string): Promise<void> {
  await finishJournal(journalFile(places, key));
  places.work.close();
}

function stagingFolders(work: WorkFolder): string[] {
  return work.places.flatMap((place) =>
    namesIn(place)
      .filter((name) => name.startsWith(stagingPrefix))
      .map((name) => join(place, name)),
  );
}

async function openStaging({ work }: Places): Promise<string> {
  const staging = join(work.open(), `${stagingPrefix}${randomBytes(6).toString('hex')}`);
  await onStorage(`cannot make ${staging}`, () => mkdir(staging, { mode: 0o700 }));
  return staging;
}

/** Runs work with a staging folder, which is removed at the end. */
async function staged<T>(places: Places, name: string, task: (staging: string) => Promise<T>): Promise<T> {
  const staging = await openStaging(places);
  try {
    return await task(staging);
  } finally {
    // A journal remains if it could be neither finished nor rolled back. It still needs its staged files.
    if (!hasJournal(journalPath(places, name))) await rm(staging, { recursive: true, force: true });
    places.work.close();
  }
}

async function placeNew<T>(
  places: Places,
  name: string,
  source: string,
  env: string | null,
  check: (directory: string) => Promise<T>,
): Promise<{ leftOut: string[]; checked: T }> {
  const failure = `cannot install ${name}`;
  const { files, directories, leftOut } = await onStorage(failure, async () => listBundleFiles(source));
  return staged(places, name, async (staging) => {
    const app = join(staging, name);
    const digests = await onStorage(failure, () => copyBundle(source, app, files, directories, env));
    const checked = await check(app);
    await onStorage(failure, async () => {
      await mkdir(places.records, { recursive: true, mode: 0o700 });
      await writeFileAtomic(recordPath(places.records, name), recordText(digests), 0o600);
      await rename(app, join(places.installed, name));
      await syncDirectory(places.installed);
    });
    return { leftOut, checked };
  });
}

/** Copies a bundle's files and writes the `.env`, all synced; returns the digests of the files. */
async function copyBundle(
  source: string,
  app: string,
  files: readonly string[],
  directories: readonly string[],
  env: string | null,
): Promise<Map<string, string>> {
  await mkdir(app);
  for (const path of directories) await mkdir(join(app, path));
  const digests = new Map<string, string>();
  const left = files.values();
  const copyLeft = async () => {
    for (const path of left) digests.set(path, await copyFileSynced(join(source, path), join(app, path)));
  };
  await settleAll(Array.from({ length: copiesAtATime }, copyLeft));
  if (env !== null) await writeSynced(join(app, '.env'), env, 0o600, 'w');
  for (const path of ['', ...directories].reverse()) {
    await copyDirectoryMode(join(source, path), join(app, path));
    await syncDirectory(join(app, path));
  }
  return digests;
}

async function refreshFiles(
  places: Places,
  name: string,
  source: string,
  plan: Pick<RefreshPlan, 'steps' | 'bundle'>,
  env: string | null,
  run: (file: string, journal: NewJournal) => Promise<void> = runJournal,
): Promise<void> {
  const directory = join(places.installed, name);
  const record = { path: recordPath(places.records, name), text: recordText(plan.bundle) };
  await staged(places, name, async (staging) => {
    const steps: NewStep[] = [];
    for (const { path, act, keepAs } of plan.steps) {
      const file = act === 'write' ? String(steps.length) : null;
      if (file !== null) await copyFileSynced(join(source, path), join(staging, file));
      steps.push({ path, staged: file, keepAs });
    }
    if (env !== null) steps.push(...(await stageEnv(staging, directory, env)));
    await syncDirectory(staging);
    await mkdir(places.records, { recursive: true, mode: 0o700 });
    await run(journalPath(places, name), { directory, staging, steps, record });
  });
}

async function stageEnv(staging: string, directory: string, env: string): Promise<NewStep[]> {
  const steps: NewStep[] = [];
  const before = readRegularFile(join(directory, '.env'), largestEnvBytes, 'followed');
  if (before !== null || lstatIfThere(join(directory, '.env.bak')) === null) {
    await writeSynced(join(staging, 'env.bak'), before ?? '', 0o600, 'w');
    steps.push({ path: '.env.bak', staged: 'env.bak', keepAs: null });
  }
  await writeSynced(join(staging, 'env'), env, 0o600, 'w');
  steps.push({ path: '.env', staged: 'env', keepAs: null });
  return steps;
}

function journalPath(places: Places, name: string): string {
  return journalFile(places, recordKey(name));
}

function journalFile(places: Places, key: string): string {
  return join(places.records, `${key}${journalSuffix}`);
}

/** Waits until all writes have ended, then throws the first failure. */
async function settleAll<T>(work: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
