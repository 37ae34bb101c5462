import { randomUUID } from 'node:crypto';
import { ftruncateSync, readSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onStorage } from '../../lib/files/storage.ts';
import { acquireLock, type FileLock } from '../../lib/process/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../ports.ts';

/** A change holds up to a whole request body while it waits. choice/box/161 */
const maxChanges = 100;

/**
 * Runs a command that changes containers or images. It inherits the lock's open file while a change runs, so that the
 * next server waits for it should this one be killed.
 */
export type Lend = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

/** The lock of a change, and how many commands were lent it and have not ended well. */
type Held = { lock: FileLock; lent: number };

/**
 * Changes queue within this process; across processes the kernel's lock on a file of the state directory decides.
 *
 * To take the lock a program has to be started. What a change looks up first is looked up meanwhile, and counts where
 * nobody can have changed a container in between: the lock was free at once, every command that was lent it before
 * ended well, and its file still has our name, which whoever changes containers writes there before. So a change that
 * changes nothing writes nothing either.
 * choice/box/126, choice/box/128, choice/box/162
 */
export function makeChanges(stateDirectory: string): Changes & { lend: Lend } {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  let ourName = '';
  let hasOurName = false;
  let last = { lent: 0 };
  let held: Held | null = null;

  /** Whether the lock was free at once. */
  const takeLock = async () => {
    const free = await acquireLock(path, { wait: false });
    const lock = free ?? (await acquireLock(path, { wait: true }));
    if (lock === null) throw new Error('the wait for the lock ended without it');
    held = { lock, lent: 0 };
    last = held;
    ourName ||= randomUUID(); // Not earlier: loading node:crypto would be a tenth of a start.
    hasOurName = readName(lock) === ourName;
    return free !== null;
  };

  const runPrepared: Changes['runPrepared'] = (prepare, change) =>
    queue(async () => {
      const begin = () => {
        const prepared = prepare();
        prepared.catch(() => undefined); // Whoever uses it hears of its fault.
        return prepared;
      };
      const early = hasOurName && last.lent === 0 ? begin() : null;
      try {
        const wasFree = await onStorage('cannot begin a change', takeLock);
        return await change(early !== null && wasFree && hasOurName ? early : begin());
      } finally {
        held?.lock.release();
        held = null;
      }
    }).catch((error: unknown) => {
      if (error instanceof QueueFull) throw new TooManyChanges();
      throw error;
    });

  return {
    runPrepared,
    waiting: queue.waiting,
    run: (change) => runPrepared(async () => undefined, change),
    async lend(command) {
      if (held === null) return command(undefined);
      const lender = held;
      if (!hasOurName) hasOurName = writeName(lender.lock, ourName);
      lender.lent += 1;
      const result = await command(lender.lock.descriptor);
      // One that failed may have left something behind that goes on, so it stays lent.
      lender.lent -= 1;
      return result;
    },
  };
}

function readName({ descriptor }: FileLock): string {
  const bytes = Buffer.alloc(64);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
}

/** Whether the file has the name now; where it cannot, as on a full disk, it has none. All names are equally long. */
function writeName({ descriptor }: FileLock, name: string): boolean {
  try {
    if (writeSync(descriptor, name, 0, 'latin1') === name.length) return true;
  } catch {
    // Told by what stands in the file: the name only saves time.
  }
  ftruncateSync(descriptor, 0);
  return false;
}
