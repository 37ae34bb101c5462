import type { AnyEnvironment, CheckContext } from './context.ts';
import type { ContractPart } from './contract.ts';
import { type Level, levelOfRule } from './rules.ts';

/** The context of any API's checks. */
export type AnyContext = CheckContext<AnyEnvironment>;

/** Prepares an environment that read-only checks share. */
export type Fixture<Environment> = {
  name: string;
  prepare: (environment: Environment) => void | Promise<void>;
};

/**
 * A check is data: an id that never changes, the rules that it checks, a title that states the obligation, and a
 * function that throws `CheckFailed` if the implementation does not meet it.
 */
export type Check<Context extends AnyContext> = {
  id: string;
  rules: string[];
  title: string;
  run: (context: Context) => Promise<void>;
  options: CheckOptions<Context>;
};

export type CheckOptions<Context extends AnyContext> = {
  /** The check uses this shared environment. Without it, the check gets an environment of its own. */
  shared?: Fixture<Context['environment']>;
  /** The check may run in an environment that an earlier check used and that was reset. */
  mayReuse?: boolean;
  /** The parts of the response contract that this check verifies, also in the responses to all other checks. */
  verifies?: readonly ContractPart[];
  /** Minimum time limit, for a check that may take longer than the default limit. */
  timeoutMs?: number;
  /** A part of the requirements that an implementation may lack if it declares that: `--without NAME`. */
  needs?: string;
  /** Time limit of a request, for a check whose surroundings make a correct implementation slow. */
  requestMs?: number;
};

/** The parts of a check that do not depend on its API. */
export type AnyCheck = Pick<Check<never>, 'id' | 'rules' | 'title' | 'options'>;

export function check<Context extends AnyContext>(
  id: string,
  rules: string[],
  title: string,
  run: (context: Context) => Promise<void>,
  options: CheckOptions<Context> = {},
): Check<Context> {
  return { id, rules, title, run, options };
}

/** Lets every check without a shared fixture run in a reused environment. */
export const inReusedEnvironments = <Context extends AnyContext>(checks: readonly Check<Context>[]): Check<Context>[] =>
  checks.map((one) =>
    one.options.shared === undefined ? { ...one, options: { ...one.options, mayReuse: true } } : one,
  );

/** The common level of the rules of a check. Throws if the check mixes levels or has no rules. */
export function levelOf(check: AnyCheck): Level {
  const levels = new Set(check.rules.map(levelOfRule));
  const [level] = levels;
  if (level === undefined || levels.size > 1)
    throw new Error(`${check.id}: the rules of a check need one common level, found ${levels.size}`);
  return level;
}

/**
 * Thrown if this machine or a real part cannot do what a check needs. It never depends on what the implementation does: that
 * decides between pass and fail, and what it may lack is declared by `--without`.
 */
export class NotApplicable extends Error {}

/** The check was not decided within its time limit. */
export class TimedOut extends Error {}

/** The reason of the checks of the page that were not run, because the run has no browser. */
export const withoutBrowser = 'needs a browser: --browser PATH';
