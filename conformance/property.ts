import type { Arbitrary } from 'fast-check';
import { CheckFailed } from './expect.ts';
import type { Held } from './trial.ts';

/**
 * Holds a property for random values of the run's seed. A failure tells the smallest value found, and the seed
 * and path that give it again.
 */
export async function holdsForAll<T>(
  held: Pick<Held, 'seed'>,
  what: string,
  arbitrary: Arbitrary<T>,
  runs: number,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const { asyncProperty, check } = await import('fast-check');
  const details = await check(asyncProperty(arbitrary, holds), {
    seed: held.seed,
    numRuns: runs,
    interruptAfterTimeLimit: 12_000,
    markInterruptAsFailure: false,
  });
  if (!details.failed) return;
  const { errorInstance: error, counterexample, counterexamplePath: path } = details;
  if (error !== null && !(error instanceof CheckFailed)) throw error;
  const cause = error instanceof CheckFailed ? error : new CheckFailed(what);
  const again = `seed ${details.seed}, path ${path}, after ${details.numShrinks} shrinks`;
  const message = `${what}: ${cause.message}\nfor ${JSON.stringify(counterexample)} (${again})`;
  throw new CheckFailed(message, cause.expected, cause.actual);
}
