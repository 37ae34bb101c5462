import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Runs work on files and stops the world at its n-th change of the disk, as `kill -9` does: that change and every
 * later one never happens, and no clean-up runs either, because nothing comes back from a change that was stopped.
 * A write that is stopped has written half.
 */
export async function cutShort(changeCount: number, work: () => Promise<unknown>): Promise<'done' | 'cut'> {
  const disk = watchDisk(changeCount);
  try {
    const outcome = await Promise.race([
      work().then(() => 'done' as const),
      disk.stopped.then(() => 'cut' as const),
    ]);
    // What ran beside the stopped change has reached a change of its own by now, and stopped there too.
    await new Promise((resolve) => setImmediate(resolve));
    return outcome;
  } finally {
    await disk.release();
  }
}

type Call = (...args: unknown[]) => unknown;
type Methods = Record<string, Call>;

const changes = ['rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'copyFile', 'chmod'] as const;
const syncChanges = ['mkdirSync', 'rmdirSync', 'chmodSync'] as const;
const handleChanges = ['writeFile', 'chmod', 'sync'] as const;

function watchDisk(changeCount: number) {
  let count = 0;
  let isReleased = false;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const handles: FileHandle[] = [];
  const undo: (() => void)[] = [];
  const isStopped = () => {
    count += 1;
    if (count >= changeCount) stop();
    return count >= changeCount;
  };
  const never = () => new Promise<never>(() => {});

  const patch = (target: Methods, name: string, replace: (original: Call) => Call) => {
    const original = target[name] as Call;
    target[name] = replace(original);
    undo.push(() => {
      target[name] = original;
    });
  };
  const promises = fs.promises as unknown as Methods;
  for (const name of changes) {
    patch(
      promises,
      name,
      (original) =>
        (...args) =>
          isStopped() ? never() : original(...args),
    );
  }
  for (const name of syncChanges) {
    patch(fs as unknown as Methods, name, (original) => (...args) => {
      if (isStopped()) throw new Error('stopped'); // Nothing it could wait on; what follows is stopped.
      return original(...args);
    });
  }
  patch(promises, 'open', (original) => async (...args) => {
    if (/w/.test(String(args[1])) && isStopped()) return never();
    const handle = (await original(...args)) as FileHandle;
    handles.push(handle);
    if (isReleased) return handle.close().then(never);
    for (const name of handleChanges) {
      const call = (handle[name] as Call).bind(handle);
      Object.assign(handle, { [name]: (...given: unknown[]) => stoppable(name, call, given) });
    }
    return handle;
  });
  syncBuiltinESMExports();

  async function stoppable(name: string, call: Call, args: unknown[]): Promise<unknown> {
    if (!isStopped()) return call(...args);
    if (name === 'writeFile' && count === changeCount) {
      const bytes = Buffer.from(args[0] as string);
      await call(bytes.subarray(0, bytes.length / 2));
    }
    return never();
  }

  return {
    stopped,
    async release() {
      for (const restore of undo) restore();
      syncBuiltinESMExports();
      isReleased = true;
      await Promise.allSettled(handles.map((handle) => handle.close()));
    },
  };
}
