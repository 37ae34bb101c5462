import type { Box } from '../checks/box/context.ts';
import type { Failure } from '../report/failure.ts';
import type { Held } from '../run/check-run.ts';
import type { Fixture } from './fixture.ts';
import type { Level } from './rules.ts';

/**
 * A check is data: an id that never changes, the rules that it holds an implementation to, a title that reads
 * as an obligation, and a function that throws where the obligation is not met. It is one of the box unless its
 * type says otherwise.
 */
export type Check<H extends Held = Box> = {
  id: string;
  rules: string[];
  title: string;
  run: (held: H) => Promise<void>;
  options: CheckOptions<H>;
};

export type CheckOptions<H extends Held = Box> = {
  /** A world that checks share which do not disturb each other; left out, the check gets a fresh one of its own. */
  shared?: Fixture<H['world']>;
  /** It may be given the world that another check has left tidy, with the implementation still running in it. */
  used?: boolean;
  /** How long it may take at least, where that is more than the run gives to each. */
  timeoutMs?: number;
};

/** A check of whichever API, for whoever does not run it. */
export type AnyCheck = Pick<Check<never>, 'id' | 'rules' | 'title'>;

/** Every way in which a check can come out. */
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

/** Of everything but a pass: why, with the latest exchanges, the last one at the end. */
export type Result = Failure & {
  check: AnyCheck;
  level: Level;
  outcome: Outcome;
  durationMs: number;
};

export function check<H extends Held = Box>(
  id: string,
  rules: string[],
  title: string,
  run: (held: H) => Promise<void>,
  options: CheckOptions<H> = {},
): Check<H> {
  return { id, rules, title, run, options };
}

/** The same checks; each that shares no world may be given a used one. */
export const inUsedWorlds = <H extends Held>(checks: readonly Check<H>[]): Check<H>[] =>
  checks.map((one) =>
    one.options.shared === undefined ? { ...one, options: { ...one.options, used: true } } : one,
  );

/** The level of the rules that a check names; it may not mix levels. */
export function levelOf(check: AnyCheck): Level {
  const levels = new Set(check.rules.map((id) => (id.startsWith('choice/') ? 'choice' : 'must')));
  const [level] = levels;
  if (level === undefined || levels.size > 1)
    throw new Error(`${check.id} names rules of no or of both levels`);
  return level;
}

/** A check that finds out that this implementation does not have what it looks at. */
export class NotApplicable extends Error {}
