import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { namesIn, onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { parseJson } from '../../../lib/json.ts';
import { inTurn } from '../../../lib/process/lock.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import type { StorePorts } from '../ports.ts';
import { modeOf } from '../rules/offered-files.ts';
import { noList, parseStores } from '../rules/stores-file.ts';
import { openFolderStore } from './folder-store.ts';
import { openGitStore } from './git-store.ts';

const largestListBytes = 1024 * 1024;
const largestReportBytes = 8 * 1024 * 1024;
const reportFile = '.report.json';
const syncTimeoutMs = 120_000;

/** `stores.json` of the state directory, and the copies in the folder `stores` beside it. */
export function makeStoreFiles(stateDirectory: string): StorePorts {
  const listFile = join(stateDirectory, 'stores.json');
  const copies = join(stateDirectory, 'stores');
  const { load: list, save } = makeStateFile(listFile, largestListBytes, (text) => {
    const stores = text === '' ? [] : parseJson(text);
    // A change would replace the file, and delete all copies.
    if (!Array.isArray(stores)) throw new StorageFailed(`${listFile} ${noList}`);
    return parseStores(stores);
  });

  return {
    list,
    alone: (work) => inTurn(join(stateDirectory, 'stores.lock'), work),
    save,
    hasDevice: existsSync,
    open: async ({ kind, address }) => (kind === 'git' ? openGitStore(address, copies) : openFolderStore(address)),
    write: (name, apps, report) =>
      onStorage(`cannot write a copy of the store ${name}`, async () => {
        makeFolders(copies, 0o755);
        const folder = await mkdtemp(join(copies, `${name}.`));
        try {
          await writeFile(join(folder, reportFile), JSON.stringify(report));
          for (const app of apps) {
            for (const [file, content] of [...Object.entries(app.files), ...app.further]) {
              const path = join(folder, app.name, file);
              await mkdir(dirname(path), { recursive: true });
              // `wx`: no file of a store may take the place of another one.
              await writeFile(path, content, { flag: 'wx' });
            }
            for (const path of app.folders) await mkdir(join(folder, app.name, path), { recursive: true });
            await setModes(join(folder, app.name));
          }
          // One call for thousands of files.
          await runCommand(['sync', '-f', folder], { timeoutMs: syncTimeoutMs });
        } catch (error) {
          await rm(folder, { recursive: true, force: true });
          throw error;
        }
        return folder.slice(copies.length + 1);
      }),
    report: (copy) => {
      const bytes = readRegularFile(join(copies, copy, reportFile), largestReportBytes, 'refused');
      const report = parseJson(Buffer.from(bytes ?? []).toString('utf8'));
      return Array.isArray(report) ? report : [];
    },
    sweep: () =>
      onStorage(`cannot delete an old copy in ${copies}`, async () => {
        const kept = new Set(list().map(({ copy }) => copy));
        for (const name of namesIn(copies)) {
          if (!kept.has(name)) await rm(join(copies, name), { recursive: true, force: true });
        }
      }),
  };
}

/** A shell, the servers and the timer have different umasks. */
async function setModes(app: string): Promise<void> {
  await chmod(app, modeOf('', true));
  for (const entry of await readdir(app, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, modeOf(path.slice(app.length + 1), entry.isDirectory()));
  }
}
