import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/**
 * Opens a file or a directory, uses it and syncs it. Only the sync waits for the disk, so it alone has a thread: the
 * other calls would wait longer for a thread than they take.
 */
export async function syncAfter(
  path: string,
  flags: 'r' | 'wx',
  use: (file: number) => void = () => {},
): Promise<void> {
  const file = openSync(path, flags, 0o600);
  try {
    use(file);
    await sync(file);
  } finally {
    closeSync(file);
  }
}
