import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Work whose disk changes are counted. */
type Run = { left: number; stop: () => void; handles: FileHandle[]; underWay: Set<Promise<unknown>> };

const runs = new AsyncLocalStorage<Run>();

/**
 * Runs work on files and stops it at its n-th disk change, as `kill -9` does: neither that change nor any later one
 * happens, nor any clean-up. A stopped write has written its first bytes.
 */
export async function cutShort(changeCount: number, work: () => Promise<unknown>): Promise<'done' | 'cut'> {
  watchDisk();
  let stop = () => {};
  const stopped = new Promise<'cut'>((resolve) => {
    stop = () => resolve('cut');
  });
  const run: Run = { left: changeCount, stop, handles: [], underWay: new Set() };
  const outcome = await Promise.race([
    runs.run(run, () =>
      work().then(
        () => (run.left > 0 ? ('done' as const) : stopped),
        (error) => {
          if (run.left > 0) throw error;
          return stopped; // An error after the stop is a consequence of the stop.
        },
      ),
    ),
    stopped,
  ]);
  // Changes that began before the stop run to their end; later ones are stopped.
  while (run.underWay.size > 0) await Promise.allSettled(run.underWay);
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.allSettled(run.handles.map((handle) => handle.close()));
  return outcome;
}

type Call = (...args: unknown[]) => unknown;

const changes = ['rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'copyFile', 'link', 'symlink', 'chmod'] as const;
const syncChanges = ['mkdirSync', 'rmdirSync', 'chmodSync', 'renameSync'] as const;
const handleChanges = ['writeFile', 'chmod', 'sync'] as const;

let isWatched = false;

/**
 * Makes every disk change check for a stop first, until the process ends: stopped work may attempt a change at any
 * time.
 */
function watchDisk(): void {
  if (isWatched) return;
  isWatched = true;
  const promises = fs.promises as unknown as Record<string, Call>;
  for (const name of changes) promises[name] = askingFirst(promises[name] as Call, never);
  const sync = fs as unknown as Record<string, Call>;
  for (const name of syncChanges) sync[name] = askingFirst(sync[name] as Call, stand);
  const open = promises.open as Call;
  const openToWrite = askingFirst(open, never);
  promises.open = async (...args) => {
    const isChange = /w/.test(String(args[1]));
    return watchHandle((await (isChange ? openToWrite : open)(...args)) as FileHandle);
  };
  syncBuiltinESMExports();
}

function askingFirst(original: Call, instead: () => unknown): Call {
  return (...args) => (isStopped() ? instead() : underWay(original(...args)));
}

/** Remembers a disk change until it has ended. */
function underWay(change: unknown): unknown {
  const run = runs.getStore();
  if (run === undefined || !(change instanceof Promise)) return change;
  const noted: Promise<unknown> = change.catch(() => undefined).finally(() => run.underWay.delete(noted));
  run.underWay.add(noted);
  return change;
}

function isStopped(): boolean {
  const run = runs.getStore();
  if (run === undefined) return false;
  run.left -= 1;
  if (run.left <= 0) run.stop();
  return run.left <= 0;
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/**
 * Throws, because a synchronous call cannot be suspended. If the caller continues, its later changes are stopped too.
 */
function stand(): never {
  throw new Error('the disk stands still');
}

function watchHandle(handle: FileHandle): FileHandle {
  const run = runs.getStore();
  if (run === undefined) return handle;
  run.handles.push(handle);
  for (const name of handleChanges) {
    const original = (handle[name] as Call).bind(handle);
    const half: Call = async (...args) => {
      if (name === 'writeFile' && run.left === 0) await underWay(original((await firstBytes(args[0])).subarray(0, 5)));
      return never();
    };
    Object.assign(handle, {
      [name]: (...args: unknown[]) => (isStopped() ? half(...args) : underWay(original(...args))),
    });
  }
  return handle;
}

/**
 * Returns the data of a write as bytes; of a stream only the first chunk.
 */
async function firstBytes(data: unknown): Promise<Buffer> {
  if (typeof data === 'string' || data instanceof Uint8Array) return Buffer.from(data);
  for await (const chunk of data as AsyncIterable<Uint8Array>) return Buffer.from(chunk);
  return Buffer.alloc(0);
}
