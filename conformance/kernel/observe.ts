import { setTimeout as pause } from 'node:timers/promises';
import { CheckFailed } from './expect.ts';

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
 * Waits until a condition is true. Throws `CheckFailed` after the time limit. The limit only ends the waiting. It is no
 * requirement on speed, because a slow machine may pause for seconds.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new CheckFailed(`${what}, within ${timeoutMs} ms`, true, false);
    await pause(20);
  }
}
