import { setTimeout as pause } from 'node:timers/promises';
import { TooSlow } from './expect.ts';
import { patient } from './patience.ts';

/** Returns a function that says whether a promise has settled. */
export function hasEnded(work: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  return () => isSettled;
}

/**
 * Waits until a condition is true. Throws `TooSlow` after the time limit. The limit only ends the waiting. It is no
 * requirement on speed: the runner repeats a check that was too slow, with more patience. Then the limit is at least
 * `longestMs`, for what an implementation may try again once a minute.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 4000,
  longestMs = 0,
): Promise<void> {
  const limitMs = patient(timeoutMs, longestMs);
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new TooSlow(`${what}, within ${limitMs} ms`, true, false);
    await pause(20);
  }
}
