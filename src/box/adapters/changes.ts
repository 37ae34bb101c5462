import { randomUUID } from 'node:crypto';
import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { acquireLock, type FileLock } from '../../lib/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../ports.ts';
import { onStorage } from './storage.ts';

/** A change holds up to a whole request body while it waits. choice/box/161 */
const maxChanges = 100;

/**
 * Changes queue within this process; across processes the kernel's lock on a file of the state directory decides.
 * `lockFile` is that open file while a change runs: what the change starts inherits it, so that the next server
 * waits for it should this one be killed.
 * choice/box/126, choice/box/128
 */
export function makeChanges(stateDirectory: string): Changes & { lockFile(): number | undefined } {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  let lock: FileLock | null = null;
  const inTurn = <T>(takeTurn: () => Promise<T>): Promise<T> =>
    queue(async () => {
      try {
        return await takeTurn();
      } finally {
        if (lock !== null) {
          mark(lock, `${idle}${randomUUID()}`);
          lock.release();
        }
        lock = null;
      }
    }).catch((error: unknown) => {
      if (error instanceof QueueFull) throw new TooManyChanges();
      throw error;
    });
  const takeLock = async () => {
    lock = await onStorage('cannot begin a change', () => acquireLock(path, { wait: true }));
  };
  return {
    lockFile: () => lock?.descriptor,
    run: (change) =>
      inTurn(async () => {
        await takeLock();
        if (lock !== null) mark(lock, busy);
        return change();
      }),
    runPrepared: (prepare, change) =>
      inTurn(async () => {
        const before = idleMark(path);
        const early = before === null ? null : prepare();
        early?.catch(() => undefined); // Whoever uses it hears of its fault.
        await takeLock();
        const isUndisturbed = idleMark(path) === before;
        if (lock !== null) mark(lock, busy);
        return change(early !== null && isUndisturbed ? early : prepare());
      }),
  };
}

/**
 * The lock's file says whether a change is under way, and otherwise which end was the last. Whoever reads the same
 * end before and after knows that nobody changed anything in between; one who was killed leaves `busy` behind.
 */
const busy = 'busy';
const idle = 'idle ';

function mark({ descriptor }: FileLock, text: string): void {
  ftruncateSync(descriptor, 0);
  writeSync(descriptor, text);
}

function idleMark(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return text.startsWith(idle) ? text : null;
  } catch {
    return null; // Not there yet, or not to be read: then nothing is known, and nothing is done early.
  }
}
