import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  fsync as startFsync,
  open as startOpen,
  readdir as startReaddir,
  rename as startRename,
  unlink as startUnlink,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writeFileAtomic } from '../../lib/write-file.ts';
import { type RouteFiles, RouteFilesFailed } from '../ports.ts';
import { coalesce } from '../rules/coalesce.ts';
import { boxIdOfRouteFile, routeFileName } from '../rules/route-file.ts';
import { findHarmfulFiles } from './harmful-files.ts';
import { type KnownProxy, type Machine, makeQuietRemovals } from './quiet-removals.ts';
import { makeReadingTrace } from './reading-trace.ts';

/**
 * The files that Traefik's file provider reads, one a box, `boxgate-<box id>.yml`.
 *
 * Each change is one event for Traefik in the directory that it watches: a file is written and synced in a
 * sub-directory, which is not watched, and renamed into place. Traefik reads sub-directories all the same, so names
 * there end in `.tmp`, which it passes over. A file is taken away when Traefik is not reading. A change is on the disk
 * when it is answered; changes at the same time share the sync of the directory. Short calls on files are made at once,
 * because each promise of one costs more; but what changes a directory waits for the file system's journal while others
 * sync, and the whole process should not.
 *
 * choice/gateway/90, choice/gateway/92, choice/gateway/93, choice/gateway/97
 */
const workName = '.boxgate';
const markerName = 'store-id';
const staleMs = 60_000;

const syncFile = promisify(startFsync);
const readdir = promisify(startReaddir);
const unlink = promisify(startUnlink);

type Calls = {
  create(path: string): Promise<number> | number;
  rename(from: string, to: string): Promise<void>;
};
const open = promisify(startOpen);
const inCompany: Calls = { create: (path) => open(path, 'wx', 0o644), rename: promisify(startRename) };
const alone: Calls = {
  create: (path) => openSync(path, 'wx', 0o644),
  rename: async (from, to) => renameSync(from, to),
};

const thisMachine: Omit<Machine, 'wasRead'> = {
  now: () => process.uptime() * 1000,
  pause: (ms) => setTimeout(ms),
  load: () => (loadavg()[0] ?? 0) / availableParallelism(),
};

/** Takes the directory for the store of that id, or refuses one of another store. choice/gateway/99 */
export async function openRouteFiles(directory: string, storeId: string): Promise<RouteFiles> {
  const work = join(directory, workName);
  const trace = makeReadingTrace(work);
  // Our own look, which takes a while, is no proxy's.
  let isLooking = false;
  const wasRead = () => trace() && !isLooking;
  let proxy: KnownProxy = 'unknown';
  try {
    makeReadable(directory);
    makeReadable(work);
    if (wasRead()) proxy = 'seen';
    await takeDirectory(directory, work, storeId);
    sweepUnseen();
  } catch (error) {
    if (error instanceof RouteFilesFailed) throw error;
    throw new RouteFilesFailed(`the routes directory ${directory} ${reasonOf(error)}`, { cause: error });
  }
  const view = viewRouteFiles(directory);
  const turns = makeQuietRemovals({ ...thisMachine, wasRead }, (await view.list()).length, proxy);
  const syncDirectory = coalesce(() => syncPath(directory));
  // A process number says too little: in containers it is always the same one.
  let self: string | null = null;
  let count = 0;
  let underWay = 0;

  function sweepUnseen(): void {
    sweep(work);
    trace();
  }

  const put = async (boxId: string, text: string | null) => {
    const path = join(directory, routeFileName(boxId));
    const old = textOf(path) ?? null;
    if (old === text) return;
    if (text === null) await turns.remove(() => remove(path));
    else {
      self ??= randomBytes(8).toString('hex');
      count += 1;
      const temporary = join(work, `${self}-${count}-${boxId}.tmp`);
      const calls = underWay > 1 ? inCompany : alone;
      await writeInto(temporary, text, calls, () =>
        turns.change(old === null ? 1 : 0, () => calls.rename(temporary, path)),
      );
    }
    await syncDirectory();
  };

  return {
    ...view,
    async put(boxId, text) {
      underWay += 1;
      try {
        await put(boxId, text);
      } catch (error) {
        fail(error);
      } finally {
        underWay -= 1;
      }
    },
    async harmful() {
      try {
        sweepUnseen();
      } catch {
        // Left-overs of others harm nobody.
      }
      isLooking = true;
      try {
        return await findForeign(directory);
      } finally {
        trace();
        isLooking = false;
      }
    },
  };
}

/** For who only looks at the directory, whoever it belongs to. */
export function viewRouteFiles(directory: string): Pick<RouteFiles, 'list' | 'read' | 'harmful'> {
  return {
    async list() {
      const names = await readdir(directory).catch(fail);
      return names.flatMap((name) => boxIdOfRouteFile(name) ?? []);
    },
    async read(boxId) {
      try {
        return textOf(join(directory, routeFileName(boxId))) ?? null;
      } catch (error) {
        return fail(error);
      }
    },
    harmful: () => findForeign(directory),
  };
}

function findForeign(directory: string): ReturnType<RouteFiles['harmful']> {
  return findHarmfulFiles(directory, (name) => boxIdOfRouteFile(name) !== undefined).catch(fail);
}

/** A directory that is made here can be read by Traefik, whoever it runs as; one that is there stays as it is. */
function makeReadable(directory: string): void {
  if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o755);
}

/** A directory without a marker is nobody's yet. */
async function takeDirectory(directory: string, work: string, storeId: string): Promise<void> {
  const marker = join(work, markerName);
  const owner = textOf(marker)?.trim() ?? '';
  if (owner !== '' && owner !== storeId) {
    throw new RouteFilesFailed(
      `the routes directory ${directory} belongs to another store; remove ${work} if this one is to take it over`,
    );
  }
  if (owner === '') await writeFileAtomic(marker, `${storeId}\n`, 0o644);
}

/** Takes away what a process that was killed in the middle of a write left; others may be writing at this moment. */
function sweep(work: string): void {
  for (const name of readdirSync(work)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(work, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }; // It is in its place.
    if (Date.now() - mtimeMs > staleMs) unlinkSync(path);
  }
}

async function writeInto(
  temporary: string,
  text: string,
  { create }: Calls,
  putInPlace: () => Promise<void>,
): Promise<void> {
  try {
    const descriptor = await create(temporary);
    try {
      writeFileSync(descriptor, text);
      fchmodSync(descriptor, 0o644); // The mode at creation is narrowed by the process's umask.
      await syncFile(descriptor);
    } finally {
      closeSync(descriptor);
    }
    await putInPlace();
  } catch (error) {
    await remove(temporary);
    throw error;
  }
}

/** That there is no such file is what was wanted. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncPath(directory: string): Promise<void> {
  const descriptor = openSync(directory, 'r');
  try {
    await syncFile(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The directory's own name stays out of it: the message may be answered to a box. */
function fail(error: unknown): never {
  throw new RouteFilesFailed(`the routes directory ${reasonOf(error)}`, { cause: error });
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
