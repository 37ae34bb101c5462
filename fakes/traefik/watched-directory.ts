import { mkdtempSync, rmSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type WatchedDirectory = {
  /** How many events the directory had since the start. */
  readonly events: number;
  /** Resolves when every event of what was done before has been told. */
  caughtUp: () => Promise<void>;
  close: () => void;
};

/**
 * Tells every change of a directory, not of the folders in it, for as long as it is the one that was there at the
 * start: one that is put in its place is never watched. With null it only keeps the queue.
 */
export function watchDirectory(directory: string | null, changed: () => void): WatchedDirectory {
  let events = 0;
  const watcher =
    directory === null
      ? null
      : watch(directory, () => {
          events += 1;
          changed();
        });
  // A directory that is removed ends its watch; there is nothing to tell.
  watcher?.on('error', () => {});
  const queue = watchQueue();
  return {
    get events() {
      return events;
    },
    caughtUp: queue.caughtUp,
    close() {
      watcher?.close();
      queue.close();
    },
  };
}

/**
 * The kernel hands a process its file-system events in one queue, in order. So a file of our own in a folder of our
 * own, once told, says that everything before it was told too.
 */
function watchQueue() {
  const folder = mkdtempSync(join(tmpdir(), 'fake-traefik-queue-'));
  const waiting = new Map<string, () => void>();
  let made = 0;
  const watcher = watch(folder, (_event, name) => {
    waiting.get(name ?? '')?.();
    waiting.delete(name ?? '');
  });
  return {
    caughtUp() {
      made += 1;
      const name = String(made);
      return new Promise<void>((resolve) => {
        waiting.set(name, resolve);
        writeFileSync(join(folder, name), '');
        unlinkSync(join(folder, name));
      });
    },
    close() {
      watcher.close();
      rmSync(folder, { recursive: true, force: true });
      for (const resolve of waiting.values()) resolve();
    },
  };
}
