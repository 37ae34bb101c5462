import { constants, statfsSync, statSync } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isAbsent, lstatIfThere, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import type { InstallDirectories } from '../../change/adapters/install-files.ts';
import { recordKey, recordPath } from '../../change/adapters/install-records.ts';
import { makeJournals } from '../../change/adapters/journals.ts';
import type { WorkFolder } from '../../change/adapters/work-folder.ts';
import type { ReplacedFolder } from '../../change/rules/journal.ts';
import { originFile } from '../../rules/manifest/app-name.ts';
import type { BackupFiles, WaitingWork } from '../ports.ts';
import { keptVolumesFile } from '../rules/kept-volumes.ts';

/** The folder for new and old content, beside a volume or in it. */
const workName = '.boxgate-restore';
const largestKeptBytes = 256 * 1024;
const largestFileBytes = 16 * 1024 * 1024;
const sizesMs = 10 * 60_000;
const syncMs = 60 * 60_000;

/** The folder with the facts of each app. A snapshot has the path of one of its files. */
export const factsFolder = 'backup-facts';

export function makeBackupFiles({ state: stateDirectory }: InstallDirectories, work: WorkFolder): BackupFiles {
  const state = resolve(stateDirectory);
  const journals = makeJournals(state);
  const installs = join(state, 'installs');

  return {
    journal: journals.read,
    writeJournal: (journal) =>
      onStorage(`cannot write ${journals.file}`, () => (journal === null ? journals.close() : journals.write(journal))),
    writeFacts: (app, text) =>
      onStorage(`cannot write the facts of ${app}`, async () => {
        const folder = join(state, factsFolder);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = join(folder, `${recordKey(app)}.json`);
        await writeFileAtomic(file, text, 0o600);
        return file;
      }),
    installRecord(app) {
      const bytes = readRegularFile(recordPath(installs, app), largestFileBytes, 'refused');
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
    writeInstallRecord: (app, text) =>
      onStorage(`cannot write the record of ${app}`, async () => {
        await mkdir(installs, { recursive: true, mode: 0o700 });
        await writeFileAtomic(recordPath(installs, app), text, 0o600);
      }),
    plan(target, path, app, isMountPoint = false) {
      const beside = isMountPoint ? target : dirname(target);
      const root = app === null ? join(beside, workName) : join(work.open(), `restore-${recordKey(app)}`);
      return { target, root, staged: join(root, 'new', path), aside: join(root, 'old'), isMountPoint };
    },
    begin: (folders) =>
      onStorage('cannot prepare the restore', async () => {
        for (const { root } of folders) {
          await rm(root, { recursive: true, force: true });
          await mkdir(root, { mode: 0o700 });
        }
      }),
    writeEnv: (directory, text) =>
      onStorage('cannot write the .env', async () => {
        await writeFileAtomic(join(directory, '.env'), text, 0o600);
      }),
    writeOrigin: (directory, app) =>
      onStorage('cannot note where the app came from', async () => {
        await writeFileAtomic(join(directory, originFile), `${app}\n`, 0o644);
      }),
    writeKept: (directory, text) =>
      onStorage('cannot note the volumes of the app', async () => {
        const file = join(directory, keptVolumesFile);
        if (text === null) await unlink(file).catch(unlessAbsent);
        else await writeFileAtomic(file, text, 0o600);
      }),
    readKept: (directory) =>
      onStorage('cannot read the volumes of the app', async () => {
        const bytes = readRegularFile(join(directory, keptVolumesFile), largestKeptBytes, 'refused');
        return bytes === null ? null : Buffer.from(bytes).toString('utf8');
      }),
    isThere: (path) => lstatIfThere(path) !== null,
    sync: (folders) =>
      onStorage('cannot write the restored data to the disk', async () => {
        for (const { root } of folders) await runCommand(['sync', '-f', root], { cwd: '/', timeoutMs: syncMs });
      }),
    swap: (folders) =>
      onStorage('cannot put the restored data in place', async () => {
        for (const folder of folders) await swapFolder(folder);
      }),
    discard: (folders) =>
      onStorage('cannot clean up after the restore', async () => {
        for (const { root } of folders) await rm(root, { recursive: true, force: true });
        work.close();
      }),
    async lacking(paths) {
      if (paths.length === 0) return []; // Without a path, `du` would measure the whole machine.
      await onStorage('data could not be put back', async () => {
        for (const path of paths) await access(dirname(path), constants.W_OK);
      });
      return onStorage('cannot measure the data', async () => lackingFor(await sizesOf(paths)));
    },
  };
}

export function makeWaitingWork(stateDirectory: string): WaitingWork {
  const { waiting, waitingFile, setAside, takeUp } = makeJournals(stateDirectory);
  return { apps: () => waiting().map(({ app }) => app), file: waitingFile, setAside, takeUp };
}

/**
 * One line a folder, with the apparent sizes: a file with holes may come back without them. Files of a running app may
 * vanish meanwhile, and then `du` ends with status 1.
 */
async function sizesOf(paths: readonly string[]): Promise<string> {
  const command = ['du', '-sk', '--apparent-size', '--', ...paths];
  try {
    return (await runCommand(command, { cwd: '/', timeoutMs: sizesMs })).stdout;
  } catch (error) {
    if (error instanceof CommandFailed && error.stdout !== '') return error.stdout;
    throw error;
  }
}

async function swapFolder({ target, root, staged, aside, isMountPoint }: ReplacedFolder): Promise<void> {
  if (isMountPoint) return swapEntries(target, root, { staged, aside });
  if (lstatIfThere(staged) === null) return; // An earlier run has moved it.
  if (lstatIfThere(target) !== null) await rename(target, aside);
  await rename(staged, target);
  await syncDirectory(dirname(target));
}

/**
 * Exchanges the content of a folder that no rename can move. While `staged` is there, old entries are moved away; from its
 * rename on, new ones are moved in. So a repeated run moves each entry once.
 */
async function swapEntries(
  target: string,
  root: string,
  { staged, aside }: Pick<ReplacedFolder, 'staged' | 'aside'>,
): Promise<void> {
  const complete = join(root, 'complete');
  if (lstatIfThere(staged) !== null) {
    await mkdir(aside, { recursive: true });
    await moveEntries(target, aside);
    await rename(staged, complete);
    await syncDirectory(root);
  }
  if (lstatIfThere(complete) === null) return;
  await moveEntries(complete, target);
  const { uid, gid, mode } = await lstat(complete);
  await chown(target, uid, gid);
  await chmod(target, mode & 0o7777);
  await syncDirectory(target);
}

/** The folder that a file system has for itself stays. */
async function moveEntries(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name !== workName && name !== 'lost+found') await rename(join(from, name), join(to, name));
  }
}

/** Sums the sizes of folders for each file system, and compares them with its free space. */
function lackingFor(sizes: string): { path: string; bytes: number }[] {
  const needed = new Map<number, { path: string; bytes: number }>();
  for (const line of sizes.split('\n')) {
    const [, kib = '', path = ''] = /^(\d+)\t(\/.*)$/.exec(line) ?? [];
    if (path === '') continue;
    const { dev } = statSync(path);
    needed.set(dev, { path, bytes: (needed.get(dev)?.bytes ?? 0) + Number(kib) * 1024 });
  }
  return [...needed.values()]
    .map(({ path, bytes }) => ({ path, bytes: bytes - freeBytes(path) }))
    .filter(({ bytes }) => bytes > 0);
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function unlessAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}
