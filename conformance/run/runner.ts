import { type AnyContext, type Check, levelOf } from '../kernel/check.ts';
import { CheckFailed } from '../kernel/expect.ts';
import { setPatience } from '../kernel/patience.ts';
import { levels } from '../kernel/rules.ts';
import { CannotStart, killSubjects } from '../kernel/subject.ts';
import { plainFailure } from '../report/failure.ts';
import { attempt, attemptAlone, type RunState } from './attempt.ts';
import { makeEnvironments, makeSharedEnvironments } from './environments.ts';
import { hasPassed, type Result, resultOf } from './result.ts';
import { makeReusedEnvironments } from './reused-environments.ts';
import type { RunnerOptions } from './runner-options.ts';
import { shuffle } from './shuffle.ts';

/**
 * `abandon` ends the run early: it kills all processes, and settles when all environments are removed. `decided` has
 * the results so far, without those of checks that would be repeated.
 */
export type Run = { results: Promise<Result[]>; decided: () => Result[]; abandon: () => Promise<unknown> };

/**
 * Runs the checks, `jobs` at a time. The seed determines the order, but checks with a longer time limit run first, so
 * that no slow check runs alone at the end. Results have the order of `checks`.
 */
export function runChecks<Context extends AnyContext>(
  checks: readonly Check<Context>[],
  options: RunnerOptions<Context>,
): Run {
  const environments = makeEnvironments(options);
  const shared = makeSharedEnvironments(options, environments);
  const pool = makeReusedEnvironments(options.api);
  const results = new Map<Check<Context>, Result>();
  const queue = longestFirst(shuffle(checks, options.seed));
  let isAbandoned = false;
  const state: RunState<Context> = {
    ...options,
    pool,
    environments,
    openShared: shared.open,
    isAbandoned: () => isAbandoned,
    violations: new Map(),
    late: new Set(),
    crashed: new Set(),
    latest: new Map(),
  };
  let endedBy: string | null = null;
  const settle = (check: Check<Context>, result: Result) => {
    results.set(check, result);
    if (state.late.has(check) || options.endsRun?.(result) !== true) return;
    endedBy ??= check.id;
    queue.length = 0;
  };
  const patience = options.patience ?? 1;
  setPatience(patience);
  let lateSincePass = 0;
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const result = await runOne(check, state);
      if (state.late.has(check)) lateSincePass += 1;
      else if (result.outcome === 'pass') lateSincePass = 0;
      setPatience(lateSincePass < options.jobs ? patience : patience * lessPatience);
      settle(check, result);
      options.onResult?.(result);
    }
  };
  const repeatLate = async () => {
    setPatience(patience * morePatience);
    for (const level of levels) {
      const left = checks.filter((one) => state.late.has(one) && levelOf(one) === level);
      const repeat = async (check: Check<Context>) => {
        const result = await attemptAlone(check, state);
        if (!state.late.has(check)) settle(check, lateResult(result, results.get(check)));
        return state.late.has(check);
      };
      while (left.length > 0 && !isAbandoned && endedBy === null) {
        const hang = await Promise.all(left.splice(0, repeatedAtOnce).map(repeat));
        if (hang.every(Boolean)) break;
      }
    }
    setPatience(patience);
  };
  /** The environment whose files stay, if there is one. */
  const keptOf = (check: Check<Context>) => {
    const result = results.get(check);
    return result !== undefined && options.keepsFiles?.(result) ? state.latest.get(check) : undefined;
  };
  const finalResult = (check: Check<Context>) => {
    if (endedBy !== null && (state.late.has(check) || !results.has(check))) {
      const failure = plainFailure(`not run, because --bail ended the run after ${endedBy}`);
      return resultOf(check, state, { outcome: 'skipped', failure, durationMs: 0 });
    }
    const result = withViolations(results.get(check), check, state);
    const kept = keptOf(check);
    if (result === undefined || kept === undefined) return result;
    return { ...result, reason: `${result.reason}\nThe environment is in ${kept.root}` };
  };
  const runAll = async () => {
    process.on('unhandledRejection', onUnhandledRejection);
    try {
      await Promise.all(Array.from({ length: options.jobs }, worker));
      await repeatLate();
    } finally {
      await shared.dispose();
      await pool.dispose();
      // A detached command may have written into an environment after its removal.
      await environments.dispose(new Set(checks.flatMap((check) => keptOf(check) ?? [])));
      process.off('unhandledRejection', onUnhandledRejection);
    }
    return checks.flatMap((check) => finalResult(check) ?? []);
  };
  return {
    results: runAll(),
    decided: () => checks.flatMap((check) => (state.late.has(check) ? [] : (results.get(check) ?? []))),
    abandon: () => {
      isAbandoned = true;
      queue.length = 0;
      killSubjects();
      return environments.dispose();
    },
  };
}

/**
 * A check that failed because a time limit ran out is repeated after all others, with more patience, because a busy
 * machine makes a correct implementation slow. If so many checks of a level fail again at once, the implementation hangs.
 */
const repeatedAtOnce = 3;
/** After as many late checks as run at a time, and no pass between them, the implementation seems to hang. */
const lessPatience = 0.2;
const morePatience = 3;

/** Says why a check that passes now did not pass at first. */
function lateResult(result: Result, first: Result | undefined): Result {
  if (result.outcome !== 'pass') return result;
  return {
    ...result,
    outcome: 'passed-late',
    reason: `only with more time, at first: ${first?.reason.split('\n', 1)[0]}`,
  };
}

/** After a check has failed, its other pending requests may fail too. They must not end the run. */
function onUnhandledRejection(error: unknown): void {
  if (!(error instanceof CheckFailed || error instanceof CannotStart)) throw error;
}

/**
 * A check that does not pass in a reused environment, or whose shared implementation ended, runs again in a new one, and
 * only the second result counts. The first failure may come from something that another check did.
 */
async function runOne<Context extends AnyContext>(check: Check<Context>, state: RunState<Context>): Promise<Result> {
  const reused = state.pool.take(check);
  const result = await attempt(check, state, reused);
  const isDoubtful = state.crashed.has(check) || (reused !== null && result.outcome !== 'pass');
  return isDoubtful && !state.isAbandoned() ? attemptAlone(check, state) : result;
}

/** A check of a part of the response contract fails for a violation that any check has seen. */
function withViolations<Context extends AnyContext>(
  result: Result | undefined,
  check: Check<Context>,
  state: RunState<Context>,
): Result | undefined {
  const [seen] = (check.options.verifies ?? []).flatMap((part) => state.violations.get(part) ?? []);
  if (seen === undefined || result === undefined) return result;
  if (!hasPassed(result) && result.outcome !== 'unexpected-pass') return result;
  const seenIn = seen.check.id;
  const failure = { ...seen.failure, seenIn, reason: `${seen.failure.reason}\nseen in ${seenIn}` };
  return resultOf(check, state, { outcome: 'fail', failure, durationMs: result.durationMs });
}

const longestFirst = <Context extends AnyContext>(checks: readonly Check<Context>[]) =>
  [...checks].sort((one, other) => (other.options.timeoutMs ?? 0) - (one.options.timeoutMs ?? 0));
