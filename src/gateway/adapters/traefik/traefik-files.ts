import { randomUUID } from 'node:crypto';
import { chmodSync, fchmodSync, renameSync, writeFileSync } from 'node:fs';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { coalesce } from '../../../lib/coalesce.ts';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { readRegularFile, readTextIfThere } from '../../../lib/files/read-file.ts';
import { syncAfter } from '../../../lib/files/sync-file.ts';
import { naming, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { type RouteFiles, RouteFilesFailed } from '../../ports.ts';
import { boxIdOfRouteFile, routeFileName } from '../../rules/route-file.ts';
import { invalidFiles } from './invalid-files.ts';

/** The largest box's file has a few hundred KiB. */
const largestFileBytes = 16 * 1024 * 1024;

/**
 * Traefik reads this sub-directory but does not watch it. Names of temporary files end in `.tmp`, which Traefik ignores.
 */
const workName = '.boxgate';
const markerName = 'store-id';

/** A temporary file of this age belongs to a process that was killed. */
const staleMs = 60_000;

/**
 * The files that Traefik's file provider reads, one a box, `boxgate-<box id>.yml`. Refuses a directory of another store.
 *
 * Each change is one event for Traefik: a file is written and synced in the sub-directory, then renamed into place. A
 * change is durable when its promise resolves; simultaneous changes share the sync of the directory.
 *
 * choice/gateway/90, should/gateway/97, choice/gateway/102
 */
export async function openRouteFiles(directory: string, storeId: string): Promise<RouteFiles> {
  const work = join(directory, workName);
  const fail = failingIn(directory);
  try {
    makeReadable(directory);
    makeReadable(work);
    await takeDirectory(directory, work, storeId);
    await removeStaleFiles(work);
  } catch (error) {
    fail(error);
  }
  const syncNames = coalesce(() => syncAfter(directory, 'r'));

  const put = async (boxId: string, text: string | null) => {
    const path = join(directory, routeFileName(boxId));
    if (textOf(path) === text) return;
    if (text === null) await removeFile(path);
    else await replaceFile(path, join(work, `${randomUUID()}-${boxId}.tmp`), text);
    await syncNames();
  };

  return {
    ...viewRouteFiles(directory),
    put: (boxId, text) =>
      put(boxId, text).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EISDIR') return fail(error);
        const name = routeFileName(boxId);
        const forBox = `the routes directory has a directory in the place of ${name}`;
        throw new RouteFilesFailed(forBox, join(directory, name), { cause: error });
      }),
  };
}

/** The route files for a reader that changes nothing, whichever store the directory belongs to. */
export function viewRouteFiles(directory: string): Pick<RouteFiles, 'list' | 'read' | 'invalidFiles'> {
  const fail = failingIn(directory);
  return {
    async list() {
      const names = await readdir(directory).catch(fail);
      return names.flatMap((name) => boxIdOfRouteFile(name) ?? []);
    },
    async read(boxId) {
      try {
        return textOf(join(directory, routeFileName(boxId)));
      } catch (error) {
        return fail(error);
      }
    },
    invalidFiles: () => invalidFiles(directory).catch(fail),
  };
}

async function replaceFile(path: string, temporary: string, text: string): Promise<void> {
  try {
    await syncAfter(temporary, 'wx', (file) => {
      writeFileSync(file, text);
      fchmodSync(file, 0o644);
    });
    renameSync(temporary, path);
  } catch (error) {
    await removeFile(temporary).catch(() => undefined); // The first error is the one to report.
    throw naming(temporary, error);
  }
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Traefik may run as another user, so a new directory is readable by all. An existing one keeps its mode. */
function makeReadable(directory: string): void {
  if (makeFolders(directory, 0o755)) chmodSync(directory, 0o755);
}

/** A directory without a marker, or with an empty one, belongs to no store yet. */
async function takeDirectory(directory: string, work: string, storeId: string): Promise<void> {
  const marker = join(work, markerName);
  const owner = readTextIfThere(marker, largestFileBytes)?.trim() ?? '';
  if (owner !== '' && owner !== storeId) {
    throw new RouteFilesFailed(
      `the routes directory ${directory} belongs to another store; remove ${work} if this one is to take it over`,
    );
  }
  if (owner === '') await writeFileAtomic(marker, `${storeId}\n`, 0o644);
}

/** Removes temporary files of a killed process. Other processes may be writing younger ones. */
async function removeStaleFiles(work: string): Promise<void> {
  for (const name of await readdir(work)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(work, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || found.isDirectory()) continue;
    if (Date.now() - found.mtimeMs > staleMs) await removeFile(path);
  }
}

/** `null` if the file does not exist; `''` for a pipe, a link and the like, so that they are replaced. */
function textOf(path: string): string | null {
  const found = readRegularFile(path, largestFileBytes, 'refused');
  if (found === 'nothing') return null;
  return found === 'no file' ? '' : found.toString('utf8');
}

/** Throws a RouteFilesFailed that names the file of the error; the directory if the error names no file. */
function failingIn(directory: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof RouteFilesFailed) throw error;
    const { path = directory } = error as NodeJS.ErrnoException;
    throw new RouteFilesFailed(`the routes directory ${reasonOf(error)}`, path, { cause: error });
  };
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `cannot be used: ${code === '' ? message : code}`;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'cannot be written: no permission',
  EPERM: 'cannot be written: no permission',
  EROFS: 'is read-only',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk whose quota is used up',
  ENOENT: 'is not there any more',
  ENOTDIR: 'is no directory',
};
