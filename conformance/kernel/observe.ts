import { setTimeout as pause } from 'node:timers/promises';
import { CheckFailed } from './expect.ts';

/** Whether it has ended by now, well or not. */
export function hasEnded(work: Promise<unknown>): () => boolean {
  let isOver = false;
  const onEnd = () => {
    isOver = true;
  };
  work.then(onEnd, onEnd);
  return () => isOver;
}

/**
 * Waits until something observable holds; not within the time is a failure of the implementation. The time is no
 * measure of how fast it has to be, only an end to waiting: a slow machine may stand still for seconds.
 */
export async function until(
  what: string,
  look: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await look())) {
    if (performance.now() > end) throw new CheckFailed(`${what}, within ${timeoutMs} ms`, true, false);
    await pause(20);
  }
}
