import { fstatSync, ftruncateSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onStorage, readRegularFile } from '../../lib/files/storage.ts';
import { acquireLock, type FileLock, waitForLock } from '../../lib/process/lock.ts';
import { makeQueue, QueueFull } from '../../lib/queue.ts';
import { type Changes, TooManyChanges } from '../core.ts';
import type { ToldOperation } from '../engine/ports.ts';
import type { AppOperation } from '../known-apps.ts';

/** A waiting change keeps its whole request body in memory. choice/box/161 */
const maxChanges = 100;

/**
 * Runs a command that changes containers or images. During a change the command inherits the lock's open file. If this
 * server is killed, the next one waits until the command has ended.
 */
export type Lend = <T>(command: (lockFile: number | undefined) => Promise<T>) => Promise<T>;

export type ChangesAcross = {
  lend: Lend;
  told: ToldOperation;
  /** Whether a change is carried out, in this process or another. */
  isUnderWay(): Promise<boolean>;
};

/**
 * Changes queue within this process. Across processes they are serialized by the kernel's lock on a file of the state
 * directory, which also says what the change in turn does.
 */
export function makeChanges(stateDirectory: string): Changes & ChangesAcross {
  const queue = makeQueue(maxChanges);
  const path = join(resolve(stateDirectory), 'change.lock');
  let held: FileLock | null = null;

  return {
    waiting: queue.waiting,
    isUnderWay: async () => {
      if (held !== null) return true;
      const lock = await acquireLock(path, { wait: false });
      lock?.release();
      return lock === null;
    },
    run: (change) =>
      queue(async () => {
        held = await onStorage('cannot begin a change', () => waitForLock(path));
        try {
          return await change();
        } finally {
          held.release();
          held = null;
        }
      }).catch((error: unknown) => {
        if (error instanceof QueueFull) throw new TooManyChanges();
        throw error;
      }),
    lend: (command) => command(held?.descriptor),
    told: {
      tell: (operation) =>
        write(
          held,
          operation === null ? '' : JSON.stringify({ ...operation, pid: process.pid, startedAt: startOf('self') }),
        ),
      others: makeReader(path),
    },
  };
}

function write(lock: FileLock | null, text: string): void {
  if (lock === null) return;
  try {
    if (text === '' && fstatSync(lock.descriptor).size === 0) return;
    // In this order, so that a reader never finds an empty file in between.
    if (text !== '') writeSync(lock.descriptor, text, 0);
    ftruncateSync(lock.descriptor, Buffer.byteLength(text));
  } catch {
    // On a full disk the other processes do not see this change.
  }
}

const largestBytes = 4096;
const none: ReadonlyMap<string, AppOperation> = new Map();

type Teller = { app: string; pid: number; startedAt: string };

function makeReader(path: string): ToldOperation['others'] {
  let before = { text: '', pid: process.pid, startedAt: '', operations: none };
  return () => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return none;
      const text = Buffer.from(readRegularFile(path, largestBytes, 'refused') ?? []).toString('utf8');
      if (text !== before.text) {
        const { app, pid, startedAt, ...operation } = JSON.parse(text) as AppOperation & Teller;
        before = { text, pid, startedAt, operations: new Map([[app, operation]]) };
      }
      // A killed process leaves what it told, and another one may get its number.
      const { pid, startedAt, operations } = before;
      return pid === process.pid || startOf(pid) !== startedAt ? none : operations;
    } catch {
      return none; // It is being written, or cannot be read.
    }
  };
}

/** When a process began, in ticks since the machine did. Throws if there is no such process. */
function startOf(pid: number | 'self'): string {
  // The name of the program, in brackets, may have blanks.
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
}
