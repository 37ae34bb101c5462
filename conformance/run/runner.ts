import { createHash } from 'node:crypto';
import { type AnyCheck, type AnyContext, type Check, type Fixture, levelOf, NotApplicable } from '../kernel/check.ts';
import type { AnyEnvironment } from '../kernel/context.ts';
import type { ResponseContract } from '../kernel/contract.ts';
import type { Observed } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import { CannotStart, killAndWait, killSubjects, type Subject, startSubject } from '../kernel/subject.ts';
import { describeFailure, type Failure, plainFailure } from '../report/failure.ts';
import type { Api, CommonEnvironmentOptions } from './api.ts';
import { type CheckRun, hostEnv, openCheckRun } from './check-run.ts';
import type { Outcome, Result } from './result.ts';
import { makeReusedEnvironments, type ReusedEnvironment, type ReusedEnvironments } from './reused-environments.ts';

export type RunnerOptions<Context extends AnyContext> = {
  api: Api<Context>;
  /** Defaults to fakes only. */
  environmentOptions?: CommonEnvironmentOptions;
  argv: string[];
  contract: () => Promise<ResponseContract>;
  profile: boolean;
  seed: number;
  jobs: number;
  timeoutMs: number;
  startTimeoutMs: number;
  /** Ids of the checks that this implementation is known to fail, each with the reason. */
  deviations: ReadonlyMap<string, string>;
  onResult?: (result: Result) => void;
  /** Called for every request with a response, including those sent as bytes. */
  onExchange?: (one: Observed) => void;
};

/** `abandon` ends the run early: it kills all processes and removes all environments. */
export type Run = { results: Promise<Result[]>; abandon: () => void };

type SharedEnvironment<Environment> = { environment: Environment; subject: Promise<Subject> };

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
    openShared: (fixture) => {
      const opened = shared.get(fixture.name) ?? openShared(fixture, options, environments);
      shared.set(fixture.name, opened);
      return opened;
    },
    isAbandoned: () => isAbandoned,
  };
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const result = await runOne(check, state);
      results.set(check, result);
      options.onResult?.(result);
    }
  };
  const closeShared = async () => {
    for (const one of shared.values()) {
      const opened = await one.catch(() => null);
      const subject = await opened?.subject.catch(() => null);
      if (subject) await killAndWait(subject);
      await opened?.environment.dispose();
    }
  };
  const runAll = async () => {
    process.on('unhandledRejection', onUnhandledRejection);
    try {
      await Promise.all(Array.from({ length: options.jobs }, worker));
    } finally {
      await closeShared();
      await pool.dispose();
      // A detached command may have written into an environment after its removal.
      await environments.dispose();
      process.off('unhandledRejection', onUnhandledRejection);
    }
    return checks.flatMap((check) => results.get(check) ?? []);
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

/** After a check has failed, its other pending requests may fail too. They must not end the run. */
function onUnhandledRejection(error: unknown): void {
  if (!(error instanceof CheckFailed || error instanceof CannotStart)) throw error;
}

type Environments<Context extends AnyContext> = {
  open: (name: string) => Promise<Context['environment']>;
  dispose: () => Promise<unknown>;
};

/** Opens environments. Their variants depend only on the seed and the name. */
function makeEnvironments<Context extends AnyContext>({
  api,
  seed,
  environmentOptions = { parts: {} },
}: RunnerOptions<Context>): Environments<Context> {
  const opened = new Set<Context['environment']>();
  return {
    open: async (name) => {
      const variant = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE();
      const environment = await api.makeEnvironment({ variant, ...environmentOptions });
      opened.add(environment);
      return environment;
    },
    dispose: () => Promise.all([...opened].map((environment) => environment.dispose())),
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
    readyTimeoutMs: options.startTimeoutMs,
  });
  return { environment, subject };
}

type RunState<Context extends AnyContext> = RunnerOptions<Context> & {
  pool: ReusedEnvironments<Context>;
  environments: Environments<Context>;
  openShared: (fixture: Fixture<Context['environment']>) => Promise<SharedEnvironment<Context['environment']>>;
  isAbandoned: () => boolean;
};

/**
 * A check that does not pass in a reused environment runs again in a new one, and only the second result counts. The
 * first failure may come from something that an earlier check left behind.
 */
async function runOne<Context extends AnyContext>(check: Check<Context>, state: RunState<Context>): Promise<Result> {
  const reused = isRequested(check, state) ? state.pool.take(check) : null;
  if (reused === null) return attempt(check, state, null);
  const result = await attempt(check, state, reused);
  return result.outcome === 'pass' || state.isAbandoned() ? result : attempt(check, state, null);
}

const isRequested = (check: AnyCheck, { profile }: { profile: boolean }) => profile || levelOf(check) === 'must';

async function attempt<Context extends AnyContext>(
  check: Check<Context>,
  state: RunState<Context>,
  reused: ReusedEnvironment<Context> | null,
): Promise<Result> {
  const started = performance.now();
  const level = levelOf(check);
  const deviation = state.deviations.get(check.id);
  const result = (outcome: Outcome, failure: Failure): Result => ({
    ...failure,
    check,
    level,
    outcome: deviation === undefined ? outcome : withDeviation(outcome),
    reason: failure.reason === '' ? (deviation ?? '') : failure.reason,
    durationMs: performance.now() - started,
  });
  if (!isRequested(check, state)) return result('skipped', plainFailure('a choice, asked for by --profile boxgate'));
  const shared = await sharedEnvironment(check, state);
  if (shared instanceof NotApplicable) return result('not-applicable', plainFailure(shared.message));
  const environment = reused?.environment ?? shared?.environment ?? (await state.environments.open(check.id));
  const run = openCheckRun({
    ...state,
    openContext: state.api.openContext,
    environment,
    ...(shared === null ? {} : { shared: () => shared.subject }),
    ...(reused === null ? {} : { reused: reused.subject }),
  });
  let isKept = false;
  try {
    await withinTime(check, run, state.timeoutMs);
    const passed = result('pass', plainFailure(''));
    isKept = await state.pool.offer(check, run, environment);
    return passed;
  } catch (error) {
    const secrets = [...run.secrets, ...(state.api.secretsOf?.(environment) ?? [])];
    return result(outcomeOf(error, environment), describeFailure(error, { ...run, secrets }));
  } finally {
    if (!isKept) await run.dispose();
  }
}

/** With real parts, a shared fixture may be impossible to prepare. Then the check is not applicable. */
async function sharedEnvironment<Context extends AnyContext>(
  { options: { shared } }: Check<Context>,
  state: RunState<Context>,
) {
  if (shared === undefined) return null;
  return state.openShared(shared).catch((error: unknown) => {
    if (error instanceof NotApplicable) return error;
    throw error;
  });
}

class TimedOut extends Error {}

async function withinTime<Context extends AnyContext>(
  check: Check<Context>,
  run: CheckRun<Context>,
  timeoutMs: number,
): Promise<void> {
  const limitMs = Math.max(check.options.timeoutMs ?? 0, timeoutMs);
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

function outcomeOf(error: unknown, environment: AnyEnvironment): Outcome {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof NotApplicable) return 'not-applicable';
  if (error instanceof CheckFailed || error instanceof CannotStart) return 'fail';
  return isMissingFile(error, environment) ? 'fail' : 'suite-error';
}

/** The implementation did not write a file that the check reads. */
function isMissingFile(error: unknown, environment: AnyEnvironment): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && path?.startsWith(environment.root) === true;
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
