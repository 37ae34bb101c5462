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

/** Polls until the condition holds; throws after a minute. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within 60 s: ${what}`);
    await pause(10);
  }
}
