import type { Arbitrary } from 'fast-check';
import type { Held } from '../run/check-run.ts';
import { CheckFailed } from './expect.ts';
import type { Journal } from './journal.ts';

/** The values of an arbitrary. */
export type Sample<A> = A extends Arbitrary<infer T> ? T : never;

/**
 * Holds a property for random values of the run's seed. A failure tells the smallest value found, the seed and path
 * that give it again, and what was sent in that case and before the first one.
 */
export async function holdsForAll<T>(
  held: Pick<Held, 'seed' | 'journal'>,
  what: string,
  arbitrary: Arbitrary<T>,
  runs: number,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const { asyncProperty, check, stringify } = await import('fast-check');
  const before = held.journal.length;
  let shortest: Journal = [];
  let isBegun = false;
  const end = Date.now() + patienceMs;
  // A smaller case is only kept where it fails too, so the last one that failed is the smallest.
  const recorded = async (value: T) => {
    // A slow machine tries fewer cases, but always one, and each to its end.
    if (isBegun && Date.now() > end) return;
    isBegun = true;
    const from = held.journal.length;
    try {
      await holds(value);
    } catch (error) {
      shortest = [...held.journal.slice(0, before), ...held.journal.slice(from)];
      throw error;
    }
  };
  const details = await check(asyncProperty(arbitrary, recorded), {
    seed: held.seed,
    numRuns: runs,
  });
  if (!details.failed) return;
  const { errorInstance: error, counterexample, counterexamplePath: path } = details;
  if (error !== null && !(error instanceof CheckFailed)) throw error;
  const cause = error instanceof CheckFailed ? error : new CheckFailed(what);
  const again = `seed ${details.seed}, path ${path}, after ${details.numShrinks} shrinks`;
  const message = `${what}: ${cause.message}\nfor ${shown(counterexample, stringify)} (${again})`;
  throw new CheckFailed(message, cause.expected, cause.actual, shortest);
}

const patienceMs = 15_000;

/** As JSON where that says all of it. */
function shown(value: unknown, stringify: (value: unknown) => string): string {
  const [json, whole] = [JSON.stringify(value), stringify(value)];
  return whole.replaceAll('__proto__:null,', '') === json ? json : whole;
}
