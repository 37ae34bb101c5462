import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AnyContext, type Check, type Fixture, levelOf, NotApplicable } from '../kernel/check.ts';
import type { AnyEnvironment } from '../kernel/context.ts';
import type { ContractPart, ResponseContract } from '../kernel/contract.ts';
import { NoResponse, type Observed } from '../kernel/exchange.ts';
import { CheckFailed, TooSlow } from '../kernel/expect.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { patient, setPatience } from '../kernel/patience.ts';
import { type Level, levels } from '../kernel/rules.ts';
import {
  CannotStart,
  contractLimits,
  killAndWait,
  killSubjects,
  type Subject,
  startSubject,
} from '../kernel/subject.ts';
import type { Evidence } from '../report/evidence.ts';
import { describeFailure, type Failure, plainFailure } from '../report/failure.ts';
import type { Api, CommonEnvironmentOptions } from './api.ts';
import { type CheckRun, hostEnv, openCheckRun, startFailure } from './check-run.ts';
import type { Outcome, Result } from './result.ts';
import { makeReusedEnvironments, type ReusedEnvironment, type ReusedEnvironments } from './reused-environments.ts';

export type RunnerOptions<Context extends AnyContext> = {
  api: Api<Context>;
  /** Defaults to fakes only. */
  environmentOptions?: CommonEnvironmentOptions;
  argv: string[];
  contract: () => Promise<ResponseContract>;
  seed: number;
  jobs: number;
  timeoutMs: number;
  /** More patience makes these longer, up to the limits of the contract. */
  startTimeoutMs: number;
  stopTimeoutMs: number;
  /** Multiplies time limits. Real parts are slower than fakes. Defaults to 1. */
  patience?: number;
  /** Ids of the checks that this implementation is known to fail, each with the reason. */
  deviations: ReadonlyMap<string, string>;
  /** No further check starts after a result for which this is true. */
  endsRun?: (result: Result) => boolean;
  /** The files of the environment stay after a result for which this is true. */
  keepsFiles?: (result: Result) => boolean;
  onResult?: (result: Result) => void;
  /** Called for every request with a response, including those sent as bytes. */
  onExchange?: (one: Observed) => void;
};

/** `abandon` ends the run early: it kills all processes and removes all environments. */
export type Run = { results: Promise<Result[]>; abandon: () => void };

/** `subject` is `null` if the check starts the implementation itself. */
type SharedEnvironment<Environment> = { environment: Environment; subject: Promise<Subject> | null };

/**
 * Runs the checks, `jobs` at a time. The seed determines the order, but checks with a longer time limit run first, so
 * that no slow check runs alone at the end. Results have the order of `checks`.
 */
export function runChecks<Context extends AnyContext>(
  checks: readonly Check<Context>[],
  options: RunnerOptions<Context>,
): Run {
  const shared = new Map<string, Promise<SharedEnvironment<Context['environment']>>>();
  const environments = makeEnvironments(options);
  const pool = makeReusedEnvironments(options.api);
  const results = new Map<Check<Context>, Result>();
  const queue = longestFirst(shuffle(checks, options.seed));
  let isAbandoned = false;
  const state: RunState<Context> = {
    ...options,
    pool,
    environments,
    openShared: (fixture, level) => {
      // A failed choice must not disturb the checks of other levels.
      const name = level === 'choice' ? `${fixture.name} of choices` : fixture.name;
      const open = () => openShared({ ...fixture, name }, options, environments);
      const opened = (shared.get(name) ?? open()).then(async (one) => {
        const subject = await one.subject?.catch(() => null);
        // A check made it crash. The next ones get another.
        return subject?.ended() ? open() : one;
      });
      shared.set(name, opened);
      return opened;
    },
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
        if (!state.late.has(check)) settle(check, result);
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
  const closeShared = async () => {
    for (const one of shared.values()) {
      const opened = await one.catch(() => null);
      const subject = await opened?.subject?.catch(() => null);
      if (subject) await killAndWait(subject);
      await opened?.environment.dispose();
    }
  };
  const runAll = async () => {
    process.on('unhandledRejection', onUnhandledRejection);
    try {
      await Promise.all(Array.from({ length: options.jobs }, worker));
      await repeatLate();
    } finally {
      await closeShared();
      await pool.dispose();
      // A detached command may have written into an environment after its removal.
      await environments.dispose(new Set(checks.flatMap((check) => keptOf(check) ?? [])));
      process.off('unhandledRejection', onUnhandledRejection);
    }
    return checks.flatMap((check) => finalResult(check) ?? []);
  };
  return {
    results: runAll(),
    abandon: () => {
      isAbandoned = true;
      queue.length = 0;
      killSubjects();
      void environments.dispose();
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

/** After a check has failed, its other pending requests may fail too. They must not end the run. */
function onUnhandledRejection(error: unknown): void {
  if (!(error instanceof CheckFailed || error instanceof CannotStart)) throw error;
}

type Environments<Context extends AnyContext> = {
  open: (name: string) => Promise<Context['environment']>;
  /** Removes all environments, but leaves the files of some. */
  dispose: (kept?: ReadonlySet<Context['environment']>) => Promise<unknown>;
};

/** Opens environments. Their variants depend only on the seed and the name. */
function makeEnvironments<Context extends AnyContext>({
  api,
  seed,
  environmentOptions = { parts: {} },
  keepsFiles,
}: RunnerOptions<Context>): Environments<Context> {
  const opened = new Map<Context['environment'], Context['environment']['dispose']>();
  return {
    open: async (name) => {
      const variant = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE();
      const environment = await api.makeEnvironment({ variant, ...environmentOptions });
      const { dispose } = environment;
      opened.set(environment, dispose);
      // Which files stay is known after the last attempt of each check.
      if (keepsFiles !== undefined) environment.dispose = () => dispose({ keepFiles: true });
      return environment;
    },
    dispose: (kept) =>
      Promise.all([...opened].map(([environment, dispose]) => dispose({ keepFiles: kept?.has(environment) === true }))),
  };
}

async function openShared<Context extends AnyContext>(
  fixture: Fixture<Context['environment']>,
  options: RunnerOptions<Context>,
  environments: Environments<Context>,
): Promise<SharedEnvironment<Context['environment']>> {
  const environment = await environments.open(fixture.name);
  await fixture.prepare(environment);
  const subject = startSubject({
    argv: options.argv,
    env: { ...hostEnv(), ...environment.env() },
    readyTimeoutMs: Math.min(patient(options.startTimeoutMs), contractLimits.startMs),
  }).catch((error: unknown) => {
    throw startFailure(error);
  });
  return { environment, subject };
}

type RunState<Context extends AnyContext> = RunnerOptions<Context> & {
  pool: ReusedEnvironments<Context>;
  environments: Environments<Context>;
  openShared: (
    fixture: Fixture<Context['environment']>,
    level: Level,
  ) => Promise<SharedEnvironment<Context['environment']>>;
  isAbandoned: () => boolean;
  /** The first violation of each part of the response contract. */
  violations: Map<ContractPart, { check: Check<Context>; failure: Failure }>;
  /** The checks in whose latest attempt a shared implementation ended. Another check may have made it crash. */
  crashed: Set<Check<Context>>;
  /** The checks whose latest attempt failed because a time limit ran out. */
  late: Set<Check<Context>>;
  /** The environment of the latest attempt. */
  latest: Map<Check<Context>, Context['environment']>;
};

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

/** Runs a check in an environment of its own, so that no other check can be the cause of a failure. */
function attemptAlone<Context extends AnyContext>(check: Check<Context>, state: RunState<Context>): Promise<Result> {
  const openShared = async (fixture: Fixture<Context['environment']>) => {
    const environment = await state.environments.open(fixture.name);
    await fixture.prepare(environment);
    return { environment, subject: null };
  };
  return attempt(check, { ...state, openShared }, null);
}

async function attempt<Context extends AnyContext>(
  check: Check<Context>,
  state: RunState<Context>,
  reused: ReusedEnvironment<Context> | null,
): Promise<Result> {
  const started = performance.now();
  const result = (outcome: Outcome, failure: Failure) =>
    resultOf(check, state, { outcome, failure, durationMs: performance.now() - started });
  state.late.delete(check);
  state.crashed.delete(check);
  const shared = await sharedEnvironment(check, state);
  if (shared instanceof NotApplicable) return result('not-applicable', plainFailure(shared.message));
  const environment = reused?.environment ?? shared?.environment ?? (await state.environments.open(check.id));
  state.latest.set(check, environment);
  const sharedSubject = shared?.subject ?? null;
  const run = openCheckRun({
    ...state,
    openContext: state.api.openContext,
    strict: levelOf(check) === 'choice',
    verifies: check.options.verifies ?? [],
    ...(check.options.requestMs === undefined ? {} : { requestMs: check.options.requestMs }),
    environment,
    ...(sharedSubject === null ? {} : { shared: () => sharedSubject }),
    ...(reused === null ? {} : { reused: reused.subject }),
  });
  const secretsOf = () => [...run.secrets, ...(state.api.secretsOf?.(environment) ?? [])];
  let isKept = false;
  try {
    await withinTime(check, run, state.timeoutMs);
    const passed = result('pass', plainFailure(''));
    isKept = await state.pool.offer(check, run, environment);
    return passed;
  } catch (error) {
    const cause = causeOf(error, environment, run);
    if (cause instanceof TooSlow || (cause instanceof CheckFailed && run.wasLate())) state.late.add(check);
    // Output that the implementation wrote after its response is still on its way.
    await pause(outputDelayMs);
    if (sharedSubject !== null && run.processes.some((one) => one.ended() !== null)) state.crashed.add(check);
    // After a timeout the environment is being removed.
    const isThere = !(cause instanceof TimedOut);
    const surroundings = (isThere && state.api.surroundings?.(environment, run.began)) || [];
    return result(
      outcomeOf(cause),
      describeFailure(
        cause,
        { ...run, secrets: secretsOf() },
        sharedSubject === null ? surroundings : surroundings.map(ofManyChecks),
      ),
    );
  } finally {
    for (const violation of run.violations) {
      if (state.violations.has(violation.part)) continue;
      // Bytes and processes have nothing to do with the form of this response.
      const journal = run.journal.filter(({ by }) => by !== 'bytes');
      const seen = { ...run, journal, exchanges: [violation.exchange], secrets: secretsOf(), processes: [] };
      state.violations.set(violation.part, { check, failure: describeFailure(violation.failure, seen) });
    }
    if (!isKept) await run.dispose();
  }
}

/** With real parts, a shared fixture may be impossible to prepare. Then the check is not applicable. */
async function sharedEnvironment<Context extends AnyContext>(check: Check<Context>, state: RunState<Context>) {
  const { shared } = check.options;
  if (shared === undefined) return null;
  return state.openShared(shared, levelOf(check)).catch((error: unknown) => {
    if (error instanceof NotApplicable) return error;
    throw error;
  });
}

/** Other checks run in a shared environment at the same time. */
const ofManyChecks = ({ about, lines }: Evidence): Evidence => ({ about: `${about}, also of other checks`, lines });

const outputDelayMs = 50;

class TimedOut extends Error {}

async function withinTime<Context extends AnyContext>(
  check: Check<Context>,
  run: CheckRun<Context>,
  timeoutMs: number,
): Promise<void> {
  const limitMs = patient(Math.max(check.options.timeoutMs ?? 0, timeoutMs));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut(`not decided within ${limitMs} ms`));
      run.abandon();
    }, limitMs);
  });
  const finished = check.run(run.context);
  // After a timeout the check goes on until its environment is gone. Its later errors do not matter.
  finished.catch(() => undefined);
  try {
    await Promise.race([finished, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof NotApplicable) return 'not-applicable';
  if (error instanceof CheckFailed || error instanceof CannotStart) return 'fail';
  return 'suite-error';
}

/**
 * An unexpected error in a check is a fault of the suite, unless it comes from something that the implementation wrote,
 * sent or closed.
 */
function causeOf<Context extends AnyContext>(
  error: unknown,
  { root }: AnyEnvironment,
  { violations, journal }: Pick<CheckRun<Context>, 'violations' | 'journal'>,
): unknown {
  if ([TimedOut, NotApplicable, CheckFailed, CannotStart].some((known) => error instanceof known)) return error;
  if (error instanceof NoResponse) return new (error.isLate ? TooSlow : CheckFailed)(`a response: ${error.message}`);
  if (violations[0] !== undefined) return violations[0].failure;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (path?.startsWith(root)) {
    const file = path.slice(root.length + 1);
    if (code === 'ENOENT') return new CheckFailed(`the file ${file} exists`, true, false);
    return new CheckFailed(`${file} can be read as the check expects`, true, code ?? message);
  }
  const isUnreadable = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  // A read of a directory has no path.
  const isBroken = path === undefined && /^(ECONN|EPIPE|EISDIR|ERR_SQLITE)/.test(code ?? '');
  if (!isBroken && !(isUnreadable && journal.some(hasResponse))) return error;
  const place = /conformance\/checks\/\S+:\d+(?=:\d+)/.exec((error as Error).stack ?? '')?.[0] ?? '';
  const what = isBroken ? 'a file or connection can be used' : 'a file or response can be read as the check expects';
  return new CheckFailed(`${what}${place === '' ? '' : ` (${place})`}`, true, message);
}

const hasResponse = (entry: JournalEntry) => entry.by === 'request' && entry.response !== null;

function resultOf<Context extends AnyContext>(
  check: Check<Context>,
  { deviations }: Pick<RunState<Context>, 'deviations'>,
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

/** A check of a part of the response contract fails for a violation that any check has seen. */
function withViolations<Context extends AnyContext>(
  result: Result | undefined,
  check: Check<Context>,
  state: RunState<Context>,
): Result | undefined {
  const [seen] = (check.options.verifies ?? []).flatMap((part) => state.violations.get(part) ?? []);
  const hasPassed = result?.outcome === 'pass' || result?.outcome === 'unexpected-pass';
  if (seen === undefined || result === undefined || !hasPassed) return result;
  const seenIn = seen.check.id;
  const failure = { ...seen.failure, seenIn, reason: `${seen.failure.reason}\nseen in ${seenIn}` };
  return resultOf(check, state, { outcome: 'fail', failure, durationMs: result.durationMs });
}

/** The outcome of a check that is listed as a deviation. */
function withDeviation(outcome: Outcome): Outcome {
  if (outcome === 'pass') return 'unexpected-pass';
  return outcome === 'fail' || outcome === 'timeout' ? 'expected-fail' : outcome;
}

const longestFirst = <Context extends AnyContext>(checks: readonly Check<Context>[]) =>
  [...checks].sort((one, other) => (other.options.timeoutMs ?? 0) - (one.options.timeoutMs ?? 0));

/** Shuffles with a random generator that depends only on the seed. */
export function shuffle<T>(list: readonly T[], seed: number): T[] {
  const shuffled = [...list];
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
