import { setTimeout as pause } from 'node:timers/promises';

/** The longest delay that a timer supports. */
const longestMs = 2 ** 31 - 1;

/** Waits for `ms` or until the signal, whichever comes first. */
export async function pauseUnless(ms: number, end?: AbortSignal): Promise<void> {
  try {
    await pause(Math.min(ms, longestMs), undefined, end === undefined ? {} : { signal: end });
  } catch (error) {
    // The signal is the only reason for an early end.
    if (end?.aborted !== true) throw error;
  }
}
