import { randomBytes } from 'node:crypto';
import { chmodSync, type Dirent, lstatSync, readdirSync, readdir as startReaddir, unlinkSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { readRegularFile, readTextIfThere } from '../../../lib/files/read-file.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { type RouteFiles, RouteFilesFailed } from '../../ports.ts';
import { coalesce } from '../../rules/coalesce.ts';
import { boxIdOfRouteFile, routeFileName } from '../../rules/route-file.ts';
import { alone, hold, inCompany, remove, syncDirectory, writeBeside } from './file-changes.ts';
import { makeHarmfulFiles } from './harmful-files.ts';
import { type KnownProxy, type Machine, makeQuietRemovals } from './quiet-removals.ts';
import { makeReadingTrace } from './reading-trace.ts';

/** The largest box's file has a few hundred KiB. */
const largestFileBytes = 16 * 1024 * 1024;

/**
 * The files that Traefik's file provider reads, one a box, `boxgate-<box id>.yml`.
 *
 * Each change is one event for Traefik in the directory that it watches: a file is written and synced in a
 * sub-directory, which is not watched, and renamed into place. Traefik reads sub-directories all the same, so names
 * there end in `.tmp`, which it passes over. A file is taken away when Traefik is not reading. A change is on the disk
 * when it is answered; changes at the same time share the sync of the directory, and none waits until the disk has freed
 * what the old file took.
 *
 * choice/gateway/90, choice/gateway/92, choice/gateway/93, choice/gateway/97
 */
const workName = '.boxgate';
const markerName = 'store-id';
const staleMs = 60_000;

const readdir = promisify(startReaddir);

const thisMachine: Omit<Machine, 'wasRead'> = {
  now: () => process.uptime() * 1000,
  pause: (ms) => setTimeout(ms),
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
};

/** Takes the directory for the store of that id, or refuses one of another store. choice/gateway/99 */
export async function openRouteFiles(directory: string, storeId: string): Promise<RouteFiles> {
  const work = join(directory, workName);
  const wasRead = makeReadingTrace(work);
  const fail = failingIn(directory);
  let proxy: KnownProxy = 'unknown';
  let sweptAt = 0;
  let inWork: Dirent[] = [];
  try {
    makeReadable(directory);
    makeReadable(work);
    if (wasRead()) proxy = 'seen';
    await takeDirectory(directory, work, storeId);
    sweepUnseen();
  } catch (error) {
    fail(error);
  }
  const view = viewRouteFiles(directory, () => stillIn(work, inWork));
  const turns = makeQuietRemovals({ ...thisMachine, wasRead }, (await view.list()).length, proxy);
  const sync = coalesce(() => syncDirectory(directory));
  // A process number says too little: in containers it is always the same one.
  let self: string | null = null;
  let count = 0;
  let underWay = 0;

  /** Our own listing of the sub-directory is not taken for the proxy's. The look for foreign files uses its result. */
  function sweepUnseen(): void {
    sweptAt = performance.now();
    inWork = sweep(work);
    wasRead();
  }

  const replace = async (boxId: string, path: string, isNew: boolean, text: string) => {
    self ??= randomBytes(8).toString('hex');
    count += 1;
    const temporary = join(work, `${self}-${count}-${boxId}.tmp`);
    const calls = underWay > 1 ? inCompany : alone;
    await writeBeside(temporary, text, calls, () =>
      turns.change(isNew ? 1 : 0, () => calls.rename(temporary, path)),
    );
  };

  const put = async (boxId: string, text: string | null) => {
    const path = join(directory, routeFileName(boxId));
    const old = textOf(path);
    if (old === text) return;
    const held = old === null ? null : hold(path);
    try {
      if (text === null) await turns.remove(() => remove(path));
      else await replace(boxId, path, old === null, text);
    } finally {
      held?.letGo();
    }
    await sync();
  };

  return {
    ...view,
    async put(boxId, text) {
      underWay += 1;
      try {
        await put(boxId, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EISDIR') fail(error);
        const name = routeFileName(boxId);
        const forBox = `the routes directory has a directory in the place of ${name}`;
        throw new RouteFilesFailed(forBox, join(directory, name), { cause: error });
      } finally {
        underWay -= 1;
      }
    },
    async harmful() {
      try {
        if (performance.now() - sweptAt > staleMs) sweepUnseen();
      } catch {
        // Left-over temporary files do not harm the proxy, and foreign files are known from the sweep before.
      }
      return view.harmful();
    },
  };
}

/**
 * For who only looks at the directory, whoever it belongs to. `listWork` gives the entries of the sub-directory: a look
 * there counts as a reading of the proxy for the gateway that runs.
 */
export function viewRouteFiles(
  directory: string,
  listWork: () => Dirent[] = () => [],
): Pick<RouteFiles, 'list' | 'read' | 'harmful'> {
  const work = join(directory, workName);
  const isOurs = (name: string) => boxIdOfRouteFile(name) !== undefined;
  const findHarmful = makeHarmfulFiles(directory, isOurs, async (folder) =>
    folder === work ? listWork() : readdir(folder, { withFileTypes: true }),
  );
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
    harmful: () => findHarmful().catch(fail),
  };
}

/** A directory that is made here can be read by Traefik, whoever it runs as; one that is there stays as it is. */
function makeReadable(directory: string): void {
  if (makeFolders(directory, 0o755)) chmodSync(directory, 0o755);
}

/** A directory without a marker is nobody's yet. */
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

/**
 * Takes away what a process that was killed in the middle of a write left; others may be writing at this moment.
 * Returns the entries that it listed.
 */
function sweep(work: string): Dirent[] {
  const entries = readdirSync(work, { withFileTypes: true });
  for (const { name } of entries) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(work, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isDirectory()) continue; // It is in its place, or was never a write.
    if (Date.now() - found.mtimeMs > staleMs) unlinkSync(path);
  }
  return entries;
}

/** The entries of an earlier listing that still exist. */
function stillIn(folder: string, entries: readonly Dirent[]): Dirent[] {
  return entries.filter(({ name }) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
}

/** A pipe, a link and the like count as a file with another text: they are replaced. */
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
