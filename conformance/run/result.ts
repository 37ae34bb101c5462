import { type AnyCheck, levelOf } from '../kernel/check.ts';
import type { Level } from '../kernel/rules.ts';
import type { Failure } from '../report/failure.ts';
import type { RequirementSet } from '../requirement-set.ts';

/** Every possible outcome of a check. `passed-late`: passed when it was repeated with more time. */
export const outcomes = [
  'pass',
  'passed-late',
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
  /** Whether the check is newer than the set of the run. */
  added: boolean;
  outcome: Outcome;
  durationMs: number;
};

/** Whether this outcome makes a run fail that requires the level of the check. */
export function isBroken({ outcome }: { outcome: Outcome | 'not-run' }): boolean {
  return ['fail', 'timeout', 'unexpected-pass', 'suite-error'].includes(outcome);
}

export const hasPassed = ({ outcome }: { outcome: Outcome | 'not-run' }): boolean =>
  outcome === 'pass' || outcome === 'passed-late';

/** What makes a run fail: failures of the required levels, and with `noLate` their late passes. */
export type Gate = { required: readonly Level[]; noLate: boolean };

/** Whether a result makes the run fail. A check that the set of the run does not have never does. */
export const failsRun = (
  result: { level: Level; outcome: Outcome; added?: boolean },
  { required, noLate }: Gate,
): boolean =>
  (isBroken(result) || (noLate && result.outcome === 'passed-late')) &&
  required.includes(result.level) &&
  result.added !== true;

/**
 * The result of a check. `deviations` are the checks that this implementation is known to fail, with the reasons. A check
 * has the level that it has in the set. Sets have no choices.
 */
export function resultOf(
  check: AnyCheck,
  { deviations, set = null }: { deviations: ReadonlyMap<string, string>; set?: RequirementSet | null },
  { outcome, failure, durationMs }: { outcome: Outcome; failure: Failure; durationMs: number },
): Result {
  const deviation = deviations.get(check.id);
  const level = levelOf(check);
  return {
    ...failure,
    check,
    level: set?.levels.get(check.id) ?? level,
    added: set !== null && level !== 'choice' && !set.levels.has(check.id),
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
