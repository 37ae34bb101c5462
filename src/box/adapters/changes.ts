import { randomUUID } from 'node:crypto';
import { ftruncateSync, readSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onStorage } from '../../lib/files/storage.ts';
import { acquireLock, type FileLock } from '../../lib/process/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../ports.ts';

/** A waiting change keeps its whole request body in memory. choice/box/161 */
const maxChanges = 100;

/**
 * Runs a command that changes containers or images. During a change the command inherits the lock's open file. If this
 * server is killed, the next one waits until the command has ended.
 */
export type Lend = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

/** The lock of a change. `lent` counts the commands that inherited it, without those that ended successfully. */
type Held = { lock: FileLock; lent: number };

/**
 * Changes queue within this process. Across processes they are serialized by the kernel's lock on a file of the state
 * directory. Taking the lock starts a program, so the change's first listing is begun at the same time. That listing
 * counts only if no other process can have changed a container in between: the lock was free at once, every command
 * that inherited it ended successfully, and the file still contains our name. A process writes its name into the file
 * before it changes containers, so a change without effect writes nothing.
 */
export function makeChanges(stateDirectory: string): Changes & { lend: Lend } {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  const ourName = randomUUID();
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
    hasOurName = readName(lock) === ourName;
    return free !== null;
  };

  const runPrepared: Changes['runPrepared'] = (prepare, change) =>
    queue(async () => {
      const begin = () => {
        const prepared = prepare();
        prepared.catch(() => undefined); // The caller gets the error when it awaits the listing.
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
      // A failed command may have left something running, so the lock counts as inherited.
      lender.lent -= 1;
      return result;
    },
  };
}

function readName({ descriptor }: FileLock): string {
  const bytes = Buffer.alloc(64);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
}

/** Writes the name into the file; on a full disk the file gets no name. All names are equally long. */
function writeName({ descriptor }: FileLock, name: string): boolean {
  try {
    if (writeSync(descriptor, name, 0, 'latin1') === name.length) return true;
  } catch {
    // After a failed write the file gets no name, so the next listing is taken again.
  }
  ftruncateSync(descriptor, 0);
  return false;
}
