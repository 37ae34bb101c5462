import { once } from 'node:events';
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type WatchedDirectory = {
  /** The number of events since the start. */
  readonly events: number;
  close: () => void;
};

/**
 * Reports every change of a directory, without its subfolders. It watches the original directory only, not a
 * replacement at the same path.
 */
export function watchDirectory(directory: string, changed: () => void): WatchedDirectory {
  let events = 0;
  const watcher = watch(directory, () => {
    events += 1;
    changed();
  });
  // Removing the directory ends the watch.
  watcher.on('error', () => {});
  return {
    get events() {
      return events;
    },
    close: () => watcher.close(),
  };
}

/**
 * Resolves when all earlier file-system events were delivered. The kernel delivers events of a process in order, so the
 * event of our own file comes last.
 */
export async function eventsAreDelivered(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-traefik-'));
  const watcher = watch(folder);
  try {
    const delivered = once(watcher, 'change');
    writeFileSync(join(folder, 'event'), '');
    await delivered;
  } finally {
    watcher.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
