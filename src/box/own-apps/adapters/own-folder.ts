import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { lstatIfThere, namesIn, onStorage } from '../../../lib/files/storage.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { inTurn } from '../../../lib/process/lock.ts';
import { StorageFailed } from '../../core.ts';
import type { OwnApp, OwnAppsPorts } from '../ports.ts';

/** The text as the owner pasted it. Also marks the folder: apps that were made by hand are never replaced or deleted. */
const pastedFile = 'pasted.yaml';
const newPrefix = '.pasted-';

/** @param folder - of the owner's own apps @param checks - a folder for the time of a check, as `lock` says */
export function makeOwnFolder(
  folder: string | null,
  { checks, lock }: { checks: string; lock: string },
): Omit<OwnAppsPorts, 'checked'> {
  const isPasted = (directory: string) => lstatIfThere(join(directory, pastedFile))?.isFile() === true;
  const names = () => (folder === null ? [] : namesIn(folder).filter((name) => !name.startsWith('.')));
  const of = () => {
    if (folder === null) throw new StorageFailed('there is no folder for apps of your own: set BOX_CATALOGUE');
    return folder;
  };
  return {
    folder,
    isPasted,
    list: () => names().filter((name) => isPasted(join(of(), name))),
    alone: (work) => inTurn(lock, work),
    async withFiles(app, work) {
      // A killed check may have left files.
      await clear(checks);
      try {
        await onStorage('cannot write the app for its check', async () => {
          makeFolders(checks, 0o700);
          await chmod(checks, 0o700);
          await write(join(checks, app.name), app);
        });
        return await work(async (text) => {
          const envFile = join(checks, app.name, '.env');
          await onStorage('cannot write the app for its check', () => writeFileAtomic(envFile, text, 0o600));
          return envFile;
        });
      } finally {
        await clear(checks);
      }
    },
    keep: (app) =>
      onStorage(`cannot write the app ${app.name}`, async () => {
        makeFolders(of(), 0o755);
        const place = join(of(), app.name);
        if (isPasted(place)) return write(place, app);
        for (const name of namesIn(of())) if (name.startsWith(newPrefix)) await clear(join(of(), name));
        const beside = await mkdtemp(join(of(), newPrefix));
        try {
          await write(beside, app);
          await rename(beside, place);
        } catch (error) {
          await clear(beside);
          throw error;
        }
        await syncDirectory(of());
      }),
    remove: (name) =>
      onStorage(`cannot delete the app ${name}`, async () => {
        // Hidden first, so that a cut-off deletion leaves no half app in the offer.
        const beside = await mkdtemp(join(of(), newPrefix));
        await rename(join(of(), name), join(beside, name));
        await clear(beside);
      }),
  };
}

const clear = (path: string) => onStorage(`cannot delete ${path}`, () => rm(path, { recursive: true, force: true }));

/** The manifest comes last, because its version makes the app an update. A text may hold secrets. */
async function write(directory: string, { files, pasted, folders }: OwnApp): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const folder of folders) {
    const path = join(directory, folder);
    if (lstatIfThere(path) !== null) continue;
    await mkdir(path, { recursive: true });
    await chmod(path, 0o777);
  }
  const { 'manifest.json': manifest, ...others } = files;
  for (const [name, text] of Object.entries({ ...others, [pastedFile]: pasted, 'manifest.json': manifest })) {
    await writeFileAtomic(join(directory, name), text, 0o600);
  }
}
