import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAbsent, lstatIfThere, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic, writeSynced } from '../../../lib/files/write-file.ts';
import { planRefresh, type RefreshPlan } from '../../apps/rules/refresh-plan.ts';
import { finishFiles, type NewStep, plannedSteps, tryFiles } from '../../change/adapters/exchange-files.ts';
import { type Journals, makeJournals } from '../../change/adapters/journals.ts';
import type { FileExchange } from '../../change/rules/journal.ts';
import type { InstallFiles } from '../../ports.ts';
import { bundleDigests, copyDirectoryMode, copyFileSynced, installedFile, listBundleFiles } from './bundle-files.ts';
import { isSameInstall, lastInstall, recordPath, recordText } from './install-records.ts';
import { fillPreview } from './preview-folder.ts';
import { stagingPrefix, type WorkFolder } from './work-folder.ts';

export type InstallDirectories = { installed: string; state: string };

const largestEnvBytes = 16 * 1024 * 1024;

/** Limited, because each copy has two files open. */
const copiesAtATime = 16;

type Places = { installed: string; records: string; work: WorkFolder; journals: Journals };

export function makeInstallFiles({ installed, state }: InstallDirectories, work: WorkFolder): InstallFiles {
  const journals = makeJournals(state);
  const places = { installed: resolve(installed), records: join(resolve(state), 'installs'), work, journals };
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
        await stageFiles(places, name, source, plan, env, (files) => carryOut(journals, name, files));
      }),
    exchange: (name, source, plan, env) =>
      onStorage(`cannot exchange the files of ${name}`, () =>
        stageFiles(places, name, source, plan, env, async (files) => {
          const begun = journals.read() ?? { app: name, operation: 'update', way: 'back' };
          await journals.write({ ...begun, files });
          await tryFiles(journals, { ...begun, files });
        }),
      ),
    swapEnv: (name, env) =>
      onStorage(`cannot write the .env of ${name}`, () => {
        const plan = { steps: [], bundle: lastInstall(places.records, name) };
        return stageFiles(places, name, '', plan, env, (files) => carryOut(journals, name, files));
      }),
    keep: (name) =>
      onStorage(`cannot keep the new files of ${name}`, async () => {
        const journal = journals.read();
        if (journal === null) return;
        await journals.turn('forth');
        await finishFiles(journals, { ...journal, way: 'forth' });
        work.close();
      }),
    preview: (name, source, plan, env, use) =>
      staged(places, async (staging) => {
        const app = join(places.installed, name);
        await onStorage(`cannot make a preview of ${name}`, () => fillPreview(staging, app, source, plan, env));
        return use(staging);
      }),
    withEnv: (name, env, use) =>
      staged(places, async (staging) => {
        const file = join(staging, '.env');
        await onStorage(`cannot write the planned .env of ${name}`, () => writeSynced(file, env, 0o600, 'w'));
        return use(file);
      }),
    finish: async () => {
      const journal = journals.read();
      if (journal === null) return;
      await onStorage(`cannot finish the last install of ${journal.app}`, () => finishFiles(journals, journal));
      work.close();
    },
    forget: (name) =>
      onStorage(`cannot forget the install of ${name}`, () => unlinkIfThere(recordPath(places.records, name))),
  };
}

/** Carries an exchange out; a failure puts the old files back. */
async function carryOut(journals: Journals, app: string, files: FileExchange): Promise<void> {
  const journal = { app, operation: 'install', way: 'forth', files } as const;
  await journals.write(journal);
  await finishFiles(journals, journal);
}

async function openStaging({ work }: Places): Promise<string> {
  const staging = join(work.open(), `${stagingPrefix}${randomBytes(6).toString('hex')}`);
  await onStorage(`cannot make ${staging}`, () => mkdir(staging, { mode: 0o700 }));
  return staging;
}

/** Runs work with a staging folder, which is removed at the end. */
async function staged<T>(places: Places, task: (staging: string) => Promise<T>): Promise<T> {
  const staging = await openStaging(places);
  try {
    return await task(staging);
  } finally {
    // The journal remains if it could be neither finished nor rolled back, or until an update stays up.
    const isNeeded = places.journals.read()?.files?.staging === staging;
    if (!isNeeded) await rm(staging, { recursive: true, force: true });
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
  return staged(places, async (staging) => {
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

/** Puts the new files complete into a staging folder, and runs `exchange`. */
async function stageFiles(
  places: Places,
  name: string,
  source: string,
  plan: Pick<RefreshPlan, 'steps' | 'bundle'>,
  env: string | null,
  exchange: (files: FileExchange) => Promise<void>,
): Promise<void> {
  const directory = join(places.installed, name);
  const record = { path: recordPath(places.records, name), text: recordText(plan.bundle) };
  await staged(places, async (staging) => {
    const steps: NewStep[] = [];
    for (const { path, act, keepAs } of plan.steps) {
      const file = act === 'write' ? String(steps.length) : null;
      if (file !== null) await copyFileSynced(join(source, path), join(staging, file));
      steps.push({ path, staged: file, keepAs });
    }
    if (env !== null) steps.push(...(await stageEnv(staging, directory, env)));
    await syncDirectory(staging);
    await exchange({ directory, staging, steps: plannedSteps(directory, steps), record });
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
