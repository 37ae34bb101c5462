import { constants, statfsSync, statSync } from 'node:fs';
import { access, mkdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lstatIfThere, onStorage, readRegularFile, unlessAbsent } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { makeFolderExchange } from '../../change/adapters/exchange-folders.ts';
import type { InstallDirectories } from '../../change/adapters/install-files.ts';
import { recordKey, recordPath } from '../../change/adapters/install-records.ts';
import type { WorkFolder } from '../../change/adapters/work-folder.ts';
import { originFile } from '../../rules/manifest/app-name.ts';
import type { BackupFiles } from '../ports.ts';
import { keptVolumesFile } from '../rules/kept-volumes.ts';

const largestKeptBytes = 256 * 1024;
const largestFileBytes = 16 * 1024 * 1024;
const sizesMs = 10 * 60_000;

export function makeBackupFiles({ state: stateDirectory }: InstallDirectories, work: WorkFolder): BackupFiles {
  const state = resolve(stateDirectory);
  const installs = join(state, 'installs');
  const write = (doing: string, file: string, text: string, mode = 0o600) =>
    onStorage(doing, async () => {
      await writeFileAtomic(file, text, mode);
    });
  const writeInState = async (doing: string, file: string, text: string) => {
    await onStorage(doing, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
    await write(doing, file, text);
  };
  return {
    ...makeFolderExchange(state, work),
    async writeFacts(app, text) {
      const file = join(state, 'backup-facts', `${recordKey(app)}.json`);
      await writeInState(`cannot write the facts of ${app}`, file, text);
      return file;
    },
    installRecord(app) {
      const bytes = readRegularFile(recordPath(installs, app), largestFileBytes, 'refused');
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
    writeInstallRecord: (app, text) =>
      writeInState(`cannot write the record of ${app}`, recordPath(installs, app), text),
    writeEnv: (directory, text) => write('cannot write the .env', join(directory, '.env'), text),
    writeOrigin: (directory, app) =>
      write('cannot note where the app came from', join(directory, originFile), `${app}\n`, 0o644),
    writeKept: (directory, text) => {
      const file = join(directory, keptVolumesFile);
      const doing = 'cannot note the volumes of the app';
      if (text === null) return onStorage(doing, () => unlink(file).catch(unlessAbsent));
      return write(doing, file, text);
    },
    readKept: (directory) =>
      onStorage('cannot read the volumes of the app', async () => {
        const bytes = readRegularFile(join(directory, keptVolumesFile), largestKeptBytes, 'refused');
        return bytes === null ? null : Buffer.from(bytes).toString('utf8');
      }),
    isThere: (path) => lstatIfThere(path) !== null,
    async lacking(paths) {
      if (paths.length === 0) return []; // Without a path, `du` would measure the whole machine.
      await onStorage('data could not be put back', async () => {
        for (const path of paths) await access(dirname(path), constants.W_OK);
      });
      return onStorage('cannot measure the data', async () => lackingFor(await sizesOf(paths)));
    },
  };
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
