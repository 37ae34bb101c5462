import { randomBytes } from 'node:crypto';
import { access, mkdir, rename, rm, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lstatIfThere, onStorage, readRegularFile, unlessAbsent } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic, writeSynced } from '../../../lib/files/write-file.ts';
import { mapConcurrently } from '../../../lib/map-concurrently.ts';
import { planRefresh } from '../../apps/rules/refresh-plan.ts';
import type { FileChange, InstallFiles } from '../ports.ts';
import type { FileExchange } from '../rules/journal.ts';
import { bundleDigests, copyDirectoryMode, copyFileSynced, installedFile, listBundleFiles } from './bundle-files.ts';
import { finishFiles, type NewStep, plannedSteps, tryFiles } from './exchange-files.ts';
import { isSameInstall, lastInstall, recordPath, recordText } from './install-records.ts';
import { type Journals, makeJournals } from './journals.ts';
import { fillPreview } from './preview-folder.ts';
import { stagingPrefix, type WorkFolder } from './work-folder.ts';

export type InstallDirectories = { installed: string; state: string };

const largestEnvBytes = 16 * 1024 * 1024;

const copiesAtATime = 16;

/** `plan` is `null` if only the `.env` changes. */
type AnyFileChange = Omit<FileChange, 'plan'> & { plan: FileChange['plan'] | null };

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
    preview: (name, change, use) =>
      staged(places, async (staging) => {
        const app = join(places.installed, name);
        await onStorage(`cannot make a preview of ${name}`, () => fillPreview(staging, app, change));
        return use(staging);
      }),
    refresh: (name, change) =>
      onStorage(`cannot refresh ${name}`, async () => {
        const { bundle, steps } = change.plan;
        const isDone = steps.length === 0 && change.env === null;
        if (isDone && isSameInstall(bundle, lastInstall(places.records, name))) return;
        await exchange(places, name, change, 'install');
        await keep(places);
      }),
    writeEnv: (name, env) =>
      onStorage(`cannot write ${join(places.installed, name, '.env')}`, async () => {
        const before = readEnv(join(places.installed, name));
        if (before !== null && Buffer.from(env).equals(before)) return false;
        await exchange(places, name, { source: '', plan: null, env }, 'settings');
        await keep(places);
        return true;
      }),
    exchange: (name, change) =>
      onStorage(`cannot exchange the files of ${name}`, () => exchange(places, name, change, 'update')),
    keep: (name) =>
      onStorage(`cannot keep the new files of ${name}`, () => keep(places)).catch((error: unknown) => {
        // With a journal that goes forth the change is final: the next one tidies up.
        if (journals.read()?.way !== 'forth') throw error;
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
      onStorage(`cannot forget the install of ${name}`, () =>
        unlink(recordPath(places.records, name)).catch(unlessAbsent),
      ),
  };
}

/**
 * Puts the new files complete into a staging folder, writes them into the journal, and puts them in place. The journal
 * takes them back until it is turned.
 */
async function exchange(places: Places, name: string, change: AnyFileChange, operation: string): Promise<void> {
  await staged(places, async (staging) => {
    const files = await stageFiles(places, name, change, staging);
    const journal = { app: name, operation, way: 'back' as const, ...places.journals.read(), files };
    await places.journals.write(journal);
    await tryFiles(places.journals, journal);
  });
}

async function keep({ journals, work }: Places): Promise<void> {
  const journal = journals.read();
  if (journal === null) return;
  await journals.turn('forth');
  await finishFiles(journals, { ...journal, way: 'forth' });
  work.close();
}

/** Runs work with a staging folder, which is removed at the end. */
async function staged<T>(places: Places, task: (staging: string) => Promise<T>): Promise<T> {
  const staging = join(places.work.open(), `${stagingPrefix}${randomBytes(6).toString('hex')}`);
  await onStorage(`cannot make ${staging}`, () => mkdir(staging, { mode: 0o700 }));
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

/** Returns the digests of the files. */
async function copyBundle(
  source: string,
  app: string,
  files: readonly string[],
  directories: readonly string[],
  env: string | null,
): Promise<Map<string, string>> {
  await mkdir(app);
  for (const path of directories) await mkdir(join(app, path));
  const digests = await mapConcurrently(files, copiesAtATime, async (path) => {
    return [path, await copyFileSynced(join(source, path), join(app, path))] as const;
  });
  if (env !== null) await writeSynced(join(app, '.env'), env, 0o600, 'w');
  for (const path of ['', ...directories].reverse()) {
    await copyDirectoryMode(join(source, path), join(app, path));
    await syncDirectory(join(app, path));
  }
  return new Map(digests);
}

async function stageFiles(
  { installed, records }: Places,
  name: string,
  { source, plan, env }: AnyFileChange,
  staging: string,
): Promise<FileExchange> {
  const directory = join(installed, name);
  await access(directory); // Throws if the app is gone.
  const steps: NewStep[] = [];
  for (const { path, act, keepAs } of plan?.steps ?? []) {
    const file = act === 'write' ? String(steps.length) : null;
    if (file !== null) await copyFileSynced(join(source, path), join(staging, file));
    steps.push({ path, staged: file, keepAs });
  }
  if (env !== null) steps.push(...(await stageEnv(staging, directory, env)));
  await syncDirectory(staging);
  const record = plan && { path: recordPath(records, name), text: recordText(plan.bundle) };
  return { directory, staging, steps: plannedSteps(directory, steps), record };
}

/** Before the first `.env` the values were those of an empty file. */
async function stageEnv(staging: string, directory: string, env: string): Promise<NewStep[]> {
  const steps: NewStep[] = [];
  const before = readEnv(directory);
  if (before !== null || lstatIfThere(join(directory, '.env.bak')) === null) {
    await writeSynced(join(staging, 'env.bak'), before ?? '', 0o600, 'w');
    steps.push({ path: '.env.bak', staged: 'env.bak', keepAs: null });
  }
  await writeSynced(join(staging, 'env'), env, 0o600, 'w');
  steps.push({ path: '.env', staged: 'env', keepAs: null });
  return steps;
}

function readEnv(directory: string): Uint8Array | null {
  return readRegularFile(join(directory, '.env'), largestEnvBytes, 'followed');
}
