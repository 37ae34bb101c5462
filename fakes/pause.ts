import { setTimeout as pause } from 'node:timers/promises';

/** As long as a timer can be. */
const longestMs = 2 ** 31 - 1;

/** Waits so long, or until the signal, whichever comes first. */
export async function pauseUnless(ms: number, end?: AbortSignal): Promise<void> {
  try {
    await pause(Math.min(ms, longestMs), undefined, end === undefined ? {} : { signal: end });
  } catch (error) {
    // Only the signal ends a pause before its time.
    if (end?.aborted !== true) throw error;
  }
}
