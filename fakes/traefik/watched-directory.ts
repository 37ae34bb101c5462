import { once } from 'node:events';
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type WatchedDirectory = {
  /** How many events the directory had since the start. */
  readonly events: number;
  close: () => void;
};

/**
 * Tells every change of a directory, not of the folders in it, for as long as it is the one that was there at the
 * start: one that is put in its place is never watched.
 */
export function watchDirectory(directory: string, changed: () => void): WatchedDirectory {
  let events = 0;
  const watcher = watch(directory, () => {
    events += 1;
    changed();
  });
  // A directory that is removed ends its watch; there is nothing to tell.
  watcher.on('error', () => {});
  return {
    get events() {
      return events;
    },
    close: () => watcher.close(),
  };
}

/**
 * Settles when every event of what was done before, in whatever directory, has been told. The kernel hands a process
 * its file-system events in one queue, in order: once a file of our own is told, so was everything before it.
 */
export async function eventsAreTold(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-traefik-'));
  const watcher = watch(folder);
  try {
    const told = once(watcher, 'change');
    writeFileSync(join(folder, 'event'), '');
    await told;
  } finally {
    watcher.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
