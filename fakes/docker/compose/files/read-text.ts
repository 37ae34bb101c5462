import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * The text of a file. A process of its own waits for whoever writes to a pipe; a thread, which carries out calls of many,
 * waits for nobody and finds nothing in one: it would stop all of them, and its process could not even end.
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
