import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The modification time and size of every file, by path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Folders that tools write. Hidden ones are left out too. */
const generated = new Set(['node_modules', '__pycache__']);

/** Describes the files below a folder, without hidden and generated ones, links and `ignored` paths. */
export function snapshotOf(folder: string, ignored: readonly string[] = []): Snapshot {
  const left = new Set(ignored.map((path) => resolve(path)));
  const found = new Map<string, string>();
  const enter = (at: string) => {
    for (const name of namesIn(at)) {
      const path = join(at, name);
      const about = lstatSync(path, { throwIfNoEntry: false });
      if (about === undefined || name.startsWith('.') || generated.has(name) || left.has(path)) continue;
      if (about.isDirectory()) enter(path);
      else if (about.isFile()) found.set(path, `${about.mtimeMs} ${about.size}`);
    }
  };
  enter(resolve(folder));
  return found;
}

/** Empty if the folder was removed meanwhile. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The first path that was written, added or removed. `null` if the snapshots are equal. */
export function changedPath(before: Snapshot, after: Snapshot): string | null {
  for (const path of [...after.keys(), ...before.keys()]) if (before.get(path) !== after.get(path)) return path;
  return null;
}

/** How one run ended. `failed` has the ids of the checks that failed it. */
export type RunEnd = { status: 0 | 1 | 2; failed: readonly string[]; isInterrupted: boolean };

export type WatchOptions = {
  take: () => Snapshot;
  /** Runs the checks with these ids, or all. */
  run: (ids: readonly string[] | null) => Promise<RunEnd>;
  write: (text: string) => void;
};

/**
 * Runs all checks, and again after each change of a file, until a signal. After a failure, runs the failed checks first,
 * and all if none of them fails any more. Returns the status of the latest run.
 */
export async function repeatOnChange({ take, run, write }: WatchOptions): Promise<RunEnd['status']> {
  let before = take();
  let end = await run(null);
  while (!end.isInterrupted) {
    write('Waiting for a change of a file. Ctrl-C ends the suite.\n');
    const path = await untilChanged(take, before);
    if (path === null) break;
    before = take();
    write(`${path} has changed.\n`);
    if (end.failed.length > 0) end = await run(end.failed);
    if (end.failed.length === 0 && !end.isInterrupted) end = await run(null);
  }
  return end.status;
}

/**
 * Waits until a file differs from `before`, and returns its path, or `null` after a signal. Looks twice a second, because
 * notifications of a change do not arrive through the mounts of a container.
 */
export async function untilChanged(take: () => Snapshot, before: Snapshot): Promise<string | null> {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    for (;;) {
      const path = changedPath(before, take());
      if (path !== null) return path;
      await pause(intervalMs);
      if (isStopped) return null;
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

const intervalMs = 500;
