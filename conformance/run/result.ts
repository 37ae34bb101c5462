import { type AnyCheck, levelOf } from '../kernel/check.ts';
import type { Level } from '../kernel/rules.ts';
import type { Failure } from '../report/failure.ts';

/** Every possible outcome of a check. */
export const outcomes = [
  'pass',
  'fail',
  'expected-fail',
  'unexpected-pass',
  'skipped',
  'not-applicable',
  'suite-error',
  'timeout',
] as const;
export type Outcome = (typeof outcomes)[number];

/** The outcome of one check. For every outcome except `pass`, `reason` says why. */
export type Result = Failure & {
  check: AnyCheck;
  level: Level;
  outcome: Outcome;
  durationMs: number;
};

/** Whether this outcome makes a run fail that requires the level of the check. */
export function isBroken({ outcome }: { outcome: Outcome | 'not-run' }): boolean {
  return ['fail', 'timeout', 'unexpected-pass', 'suite-error'].includes(outcome);
}

/** Whether a result makes the run fail. `required` are the levels whose failures do. */
export const failsRun = (
  result: { level: Level; outcome: Outcome },
  { required }: { required: readonly Level[] },
): boolean => isBroken(result) && required.includes(result.level);

/** The result of a check. `deviations` are the checks that this implementation is known to fail, with the reasons. */
export function resultOf(
  check: AnyCheck,
  { deviations }: { deviations: ReadonlyMap<string, string> },
  { outcome, failure, durationMs }: { outcome: Outcome; failure: Failure; durationMs: number },
): Result {
  const deviation = deviations.get(check.id);
  return {
    ...failure,
    check,
    level: levelOf(check),
    outcome: deviation === undefined ? outcome : withDeviation(outcome),
    reason: failure.reason === '' ? (deviation ?? '') : failure.reason,
    durationMs,
  };
}

/** The outcome of a check that is listed as a deviation. */
function withDeviation(outcome: Outcome): Outcome {
  if (outcome === 'pass') return 'unexpected-pass';
  return outcome === 'fail' || outcome === 'timeout' ? 'expected-fail' : outcome;
}
