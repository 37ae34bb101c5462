import { setTimeout as pause } from 'node:timers/promises';
import { type AnyContext, type Check, NotApplicable, TimedOut } from '../kernel/check.ts';
import type { ContractPart } from '../kernel/contract.ts';
import { CheckFailed, TooSlow } from '../kernel/expect.ts';
import { patient } from '../kernel/patience.ts';
import type { RequestProblem } from '../kernel/request-validity.ts';
import type { Evidence } from '../report/evidence.ts';
import { describeFailure, type Failure, plainFailure } from '../report/failure.ts';
import { type CheckRun, openCheckRun } from './check-run.ts';
import type { Environments, SharedEnvironments } from './environments.ts';
import { causeOf, outcomeOf } from './failure-cause.ts';
import { type Outcome, type Result, resultOf } from './result.ts';
import type { ReusedEnvironment, ReusedEnvironments } from './reused-environments.ts';
import type { RunnerOptions } from './runner-options.ts';

/** Each attempt of a run gets the same state, and notes in it what the result does not say. */
export type RunState<Context extends AnyContext> = RunnerOptions<Context> & {
  pool: ReusedEnvironments<Context>;
  environments: Environments<Context>;
  openShared: SharedEnvironments<Context>['open'];
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

/** Runs a check in an environment of its own, so that no other check can be the cause of a failure. */
export function attemptAlone<Context extends AnyContext>(
  check: Check<Context>,
  state: RunState<Context>,
): Promise<Result> {
  const openShared = async (fixture: Parameters<RunState<Context>['openShared']>[0]) => {
    const environment = await state.environments.open(fixture.name);
    await fixture.prepare(environment);
    return { environment, subject: null };
  };
  return attempt(check, { ...state, openShared }, null);
}

/** Runs a check once. Notes in `state` if it was late, saw a crash, or saw a response that violates the contract. */
export async function attempt<Context extends AnyContext>(
  check: Check<Context>,
  state: RunState<Context>,
  reused: ReusedEnvironment<Context> | null,
): Promise<Result> {
  const started = performance.now();
  const result = (outcome: Outcome, failure: Failure) =>
    resultOf(check, state, { outcome, failure, durationMs: performance.now() - started });
  state.late.delete(check);
  state.crashed.delete(check);
  const { needs } = check.options;
  if (needs !== undefined && state.without?.includes(needs))
    return result('not-applicable', plainFailure(declaredWithout(needs)));
  const shared = await sharedEnvironment(check, state);
  if (shared instanceof NotApplicable) return result('not-applicable', plainFailure(shared.message));
  const environment = reused?.environment ?? shared?.environment ?? (await state.environments.open(check.id));
  state.latest.set(check, environment);
  const sharedSubject = shared?.subject ?? null;
  const run = openCheckRun({
    ...state,
    openContext: state.api.openContext,
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
    const problem = firstProblem(run, state.requestProblem);
    if (problem !== null) return result('suite-error', plainFailure(problem));
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

function firstProblem<Context extends AnyContext>({ journal }: CheckRun<Context>, problemOf?: RequestProblem) {
  for (const entry of journal) {
    const response = entry.by === 'request' ? entry.response : null;
    const problem = response === null ? null : problemOf?.(response);
    if (problem) return problem;
  }
  return null;
}

/** With real parts, a shared fixture may be impossible to prepare. Then the check is not applicable. */
async function sharedEnvironment<Context extends AnyContext>(check: Check<Context>, state: RunState<Context>) {
  const { shared } = check.options;
  if (shared === undefined) return null;
  return state.openShared(shared).catch((error: unknown) => {
    if (error instanceof NotApplicable) return error;
    throw error;
  });
}

/** Other checks run in a shared environment at the same time. */
const ofManyChecks = ({ about, lines }: Evidence): Evidence => ({ about: `${about}, also of other checks`, lines });

const outputDelayMs = 50;

const declaredWithout = (name: string) => `declared: --without ${name}`;

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
