import { setTimeout as pause } from 'node:timers/promises';
import { CheckFailed } from './expect.ts';

/** Waits until something observable holds; not within the time is a failure of the implementation. */
export async function until(
  what: string,
  look: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await look())) {
    if (Date.now() > end) throw new CheckFailed(`${what}, within ${timeoutMs} ms`, true, false);
    await pause(20);
  }
}
