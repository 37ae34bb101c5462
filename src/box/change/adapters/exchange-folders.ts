import { chmod, chown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatIfThere, onStorage } from '../../../lib/files/storage.ts';
import { StorageFailed } from '../../../lib/files/storage-failed.ts';
import { syncDirectory } from '../../../lib/files/write-file.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import type { FolderExchange } from '../ports.ts';
import type { ReplacedFolder } from '../rules/journal.ts';
import { recordKey } from './install-records.ts';
import { makeJournals } from './journals.ts';
import type { WorkFolder } from './work-folder.ts';

/** The folder for new and old content, beside a volume or in it. */
const workName = '.boxgate-restore';
const syncMs = 60 * 60_000;

export function makeFolderExchange(state: string, work: WorkFolder): FolderExchange {
  const journals = makeJournals(state);
  return {
    journal: journals.read,
    writeJournal: (journal) =>
      onStorage(`cannot write ${journals.file}`, () => (journal === null ? journals.close() : journals.write(journal))),
    plan(target, path, app, isMountPoint = false) {
      const beside = isMountPoint ? target : dirname(target);
      const root = app === null ? join(beside, workName) : join(work.open(), `restore-${recordKey(app)}`);
      return { target, path, root, staged: join(root, 'new', path), aside: join(root, 'old'), isMountPoint };
    },
    begin: (folders) =>
      onStorage('cannot prepare the restore', async () => {
        for (const { root } of folders) {
          await rm(root, { recursive: true, force: true });
          await mkdir(root, { mode: 0o700 });
        }
      }),
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
  };
}

async function swapFolder({ target, root, staged, aside, isMountPoint }: ReplacedFolder): Promise<void> {
  if (isMountPoint) return swapEntries(target, root, { staged, aside });
  if (lstatIfThere(staged) === null) {
    if (lstatIfThere(target) !== null) return; // An earlier run has moved it.
    const advice = `mount the disk that had them, or make an empty folder ${target} to go on without`;
    throw new StorageFailed(`neither ${staged} nor ${target} is there: ${advice}`);
  }
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
