import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import type { CheckContext } from './context.ts';
import { CheckFailed, TooSlow } from './expect.ts';
import type { Journal } from './journal.ts';

/** The type of an arbitrary's values. */
export type Sample<A> = A extends Arbitrary<infer T> ? T : never;

/**
 * Verifies a property for random values from the run's seed. The failure names the smallest failing value, and the seed
 * and path that reproduce it. Its journal has the steps before the first case and those of the smallest one.
 */
export async function holdsForAll<T>(
  context: Pick<CheckContext, 'seed' | 'journal'>,
  what: string,
  arbitrary: Arbitrary<T>,
  runs: number,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const { asyncProperty, check, stringify } = await import('fast-check');
  const before = context.journal.length;
  let shortest: Journal = [];
  let hasStarted = false;
  let hang: TooSlow | null = null;
  const end = Date.now() + timeLimitMs;
  // fast-check shrinks to smaller failing cases, so the last failing case is the smallest.
  const recorded = async (value: T) => {
    // On a slow machine fewer cases run, but at least one, and each case runs to its end.
    if (hasStarted && Date.now() > end) return;
    hasStarted = true;
    // Smaller cases would hang too, each for as long as the time limit.
    if (hang !== null) throw hang;
    const from = context.journal.length;
    try {
      await holds(value);
    } catch (error) {
      if (error instanceof TooSlow) hang = error;
      shortest = [...context.journal.slice(0, before), ...context.journal.slice(from)];
      throw error;
    }
  };
  const details = await check(asyncProperty(arbitrary, recorded), {
    seed: context.seed,
    numRuns: runs,
  });
  if (!details.failed) return;
  const { errorInstance: error, counterexample, counterexamplePath: path } = details;
  if (error !== null && !(error instanceof CheckFailed)) throw error;
  const cause = error instanceof CheckFailed ? error : new CheckFailed(what);
  const again = `seed ${details.seed}, path ${path}, after ${details.numShrinks} shrinks`;
  const message = `${what}: ${cause.message}\nfor ${shown(counterexample, stringify)} (${again})`;
  const Failure = hang === null ? CheckFailed : TooSlow;
  throw new Failure(message, cause.expected, cause.actual, shortest);
}

const timeLimitMs = 15_000;

/** JSON if it represents the whole value, otherwise fast-check's notation. */
function shown(value: unknown, stringify: (value: unknown) => string): string {
  const [json, whole] = [JSON.stringify(value), stringify(value)];
  return whole.replaceAll('__proto__:null,', '') === json ? json : whole;
}

/**
 * Random series of commands. A series shrinks to the commands that ran, then to the fewest and smallest that still fail.
 * `canRun` is called before each command, because it depends on the commands before.
 */
export const commandSeries = <C, D extends object>(
  command: fc.Arbitrary<C>,
  maxCommands: number,
  canRun: (session: D, one: C) => boolean,
  execute: (session: D, one: C) => Promise<void>,
): fc.Arbitrary<Iterable<fc.AsyncCommand<D, null>>> =>
  fc.commands(
    [
      command.map((one) => ({
        check: (session: D) => canRun(session, one),
        run: (session: D) => execute(session, one),
        toString: () => JSON.stringify(one),
      })),
    ],
    { maxCommands, size: 'max', disableReplayLog: true },
  );

export const runSeries = <D extends object>(session: D, series: Iterable<fc.AsyncCommand<D, null>>): Promise<void> =>
  fc.asyncModelRun(() => ({ model: session, real: null }), series);
