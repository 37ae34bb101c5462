import { dirname, join, resolve } from 'node:path';
import { lstatIfThere, namesIn, readRegularFile, storageFailed } from '../../../lib/files/storage.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import type { KeptFiles } from '../../apps/ports.ts';
import { lastInstall } from '../../change/adapters/install-records.ts';

const largestBytes = 1024 * 1024;
const mostKept = 200;
const diffMs = 5000;

export function makeKeptFiles(directories: { installed: string; state: string }): KeptFiles {
  const isFile = (path: string) => lstatIfThere(path)?.isFile() ?? false;
  return {
    list(app) {
      const directory = join(directories.installed, app);
      const installed = lastInstall(join(resolve(directories.state), 'installs'), app).keys();
      const folders = new Set([...installed].map(dirname));
      return [...folders]
        .flatMap((folder) => namesIn(join(directory, folder)).map((name) => join(folder, name)))
        .flatMap((kept) => {
          const file = kept.replace(/\.kept(?:\.\d{1,6})?$/, '');
          return file !== kept && isFile(join(directory, kept)) ? [{ kept, file }] : [];
        })
        .sort((a, b) => (a.kept < b.kept ? -1 : 1))
        .slice(0, mostKept);
    },
    async difference(app, { kept, file }) {
      // An upgrade also keeps an edited file that the new version does not have.
      const pathOf = (path: string) => {
        const whole = join(directories.installed, app, path);
        return isFile(whole) ? whole : '/dev/null';
      };
      const paths = [pathOf(kept), pathOf(file)];
      const texts = paths.map((path) => readRegularFile(path, largestBytes + 1, 'refused') ?? new Uint8Array());
      if (texts.some((bytes) => bytes.length > largestBytes || bytes.includes(0))) return null;
      const words = ['diff', '-u', '--label', kept, '--label', file, '--', ...paths];
      try {
        return (await runCommand(words, { timeoutMs: diffMs, env: { PATH: process.env.PATH } })).stdout;
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        if (error.status === 1) return error.stdout; // The files differ.
        if (error.notFound) throw new StorageFailed('the program diff is not installed; install the package diffutils');
        throw storageFailed('cannot compare the files', error);
      }
    },
  };
}
