import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Reads a file. In the thread a pipe is read without waiting, because waiting would block all other calls and the exit
 * of the process.
 */
export function readText(path: string): string {
  if (isMainThread) return readFileSync(path, 'utf8');
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
