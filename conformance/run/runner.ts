import { createHash } from 'node:crypto';
import {
  type AnyCheck,
  type Check,
  levelOf,
  NotApplicable,
  type Outcome,
  type Result,
} from '../kernel/check.ts';
import type { Judge } from '../kernel/contract.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Fixture } from '../kernel/fixture.ts';
import { CannotStart, killSubjects, type Subject, startSubject } from '../kernel/subject.ts';
import { describeFailure, type Failure, plainFailure } from '../report/failure.ts';
import type { Api, Surroundings } from './api.ts';
import { type AnyWorld, endOf, type Held, hostEnvironment, makeTrial, type Trial } from './check-run.ts';
import type { Observed } from './coverage.ts';
import { makeUsedWorlds, type UsedWorld, type UsedWorlds } from './reused-environments.ts';

export type RunOptions<H extends Held> = {
  api: Api<H>;
  /** Stand-ins and nothing beside them when left out. */
  surroundings?: Surroundings;
  argv: string[];
  judge: () => Promise<Judge>;
  profile: boolean;
  seed: number;
  jobs: number;
  timeoutMs: number;
  startTimeoutMs: number;
  /** Checks that this implementation is known to fail, with the reason. */
  deviations: ReadonlyMap<string, string>;
  onResult?: (result: Result) => void;
  /** Is told of every request that got an answer, raw ones included. */
  onExchange?: (one: Observed) => void;
};

/** A run that can be given up: what it holds on the machine is let go at once. */
export type Run = { results: Promise<Result[]>; abandon: () => void };

type SharedWorld<World> = { world: World; subject: Promise<Subject> };

/**
 * Runs the checks, `jobs` at a time, in the order of the seed, those that may take long before the others: the last
 * worker is not to be left alone with one of them. Results come in the order of the list.
 */
export function runChecks<H extends Held>(checks: readonly Check<H>[], options: RunOptions<H>): Run {
  const shared = new Map<string, Promise<SharedWorld<H['world']>>>();
  const worlds = makeWorlds(options);
  const used = makeUsedWorlds(options.api);
  const results = new Map<Check<H>, Result>();
  const queue = longestFirst(shuffle(checks, options.seed));

  const sharedWorld: OpenShared<H> = (fixture) => {
    const found = shared.get(fixture.name) ?? openShared(fixture, options, worlds);
    shared.set(fixture.name, found);
    return found;
  };
  let isAbandoned = false;
  const places = { ...options, used, worlds, sharedWorld, isAbandoned: () => isAbandoned };
  const worker = async () => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      const result = await runOne(check, places);
      results.set(check, result);
      options.onResult?.(result);
    }
  };
  const closeShared = async () => {
    for (const one of shared.values()) {
      const opened = await one.catch(() => null);
      const subject = await opened?.subject.catch(() => null);
      if (subject) await endOf(subject);
      await opened?.world.dispose();
    }
  };
  const everything = async () => {
    process.on('unhandledRejection', onUnhandled);
    try {
      await Promise.all(Array.from({ length: options.jobs }, worker));
    } finally {
      await closeShared();
      await used.dispose();
      // A command that was cut loose may have written into a world after it was removed.
      await worlds.dispose();
      process.off('unhandledRejection', onUnhandled);
    }
    return checks.flatMap((check) => results.get(check) ?? []);
  };
  return {
    results: everything(),
    abandon: () => {
      isAbandoned = true;
      queue.length = 0;
      killSubjects();
      void worlds.dispose();
    },
  };
}

/** What a check that has failed still had under way may fail too: that is nobody's fault, and ends no run. */
function onUnhandled(error: unknown): void {
  if (!(error instanceof CheckFailed || error instanceof CannotStart)) throw error;
}

type Worlds<H extends Held> = {
  open: (name: string) => Promise<H['world']>;
  dispose: () => Promise<unknown>;
};
type OpenShared<H extends Held> = (fixture: Fixture<H['world']>) => Promise<SharedWorld<H['world']>>;

/** Every world of a run, each made a little differently, and the same for the same seed and name. */
function makeWorlds<H extends Held>({ api, seed, surroundings = { parts: {} } }: RunOptions<H>): Worlds<H> {
  const opened = new Set<H['world']>();
  return {
    open: async (name) => {
      const variant = createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE();
      const world = await api.makeWorld({ variant, ...surroundings });
      opened.add(world);
      return world;
    },
    dispose: () => Promise.all([...opened].map((world) => world.dispose())),
  };
}

async function openShared<H extends Held>(
  fixture: Fixture<H['world']>,
  options: RunOptions<H>,
  worlds: Worlds<H>,
): Promise<SharedWorld<H['world']>> {
  const world = await worlds.open(fixture.name);
  await fixture.prepare(world);
  const subject = startSubject({
    argv: options.argv,
    environment: { ...hostEnvironment(), ...world.environment() },
    readyTimeoutMs: options.startTimeoutMs,
  });
  return { world, subject };
}

type Places<H extends Held> = RunOptions<H> & {
  used: UsedWorlds<H>;
  worlds: Worlds<H>;
  sharedWorld: OpenShared<H>;
  isAbandoned: () => boolean;
};

/** In a used world only a pass counts: what another check may have left there is nobody's fault. */
async function runOne<H extends Held>(check: Check<H>, places: Places<H>): Promise<Result> {
  const used = isAsked(check, places) ? places.used.take(check) : null;
  if (used === null) return attempt(check, places, null);
  const result = await attempt(check, places, used);
  return result.outcome === 'pass' || places.isAbandoned() ? result : attempt(check, places, null);
}

const isAsked = (check: AnyCheck, { profile }: { profile: boolean }) => profile || levelOf(check) === 'must';

async function attempt<H extends Held>(
  check: Check<H>,
  places: Places<H>,
  used: UsedWorld<H> | null,
): Promise<Result> {
  const started = performance.now();
  const level = levelOf(check);
  const result = (outcome: Outcome, failure: Failure): Result => ({
    ...failure,
    check,
    level,
    outcome: settle(outcome, places.deviations.has(check.id)),
    reason: failure.reason === '' ? (places.deviations.get(check.id) ?? '') : failure.reason,
    durationMs: performance.now() - started,
  });
  if (!isAsked(check, places))
    return result('skipped', plainFailure('a choice, asked for by --profile boxgate'));
  const base = await openBase(check, places.sharedWorld);
  if (base instanceof NotApplicable) return result('not-applicable', plainFailure(base.message));
  const world = used?.world ?? base?.world ?? (await places.worlds.open(check.id));
  const trial = makeTrial({
    ...places,
    hold: places.api.hold,
    world,
    ...(base === null ? {} : { shared: () => base.subject }),
    ...(used === null ? {} : { found: used.subject }),
  });
  let isLeft = false;
  try {
    await withinTime(check, trial, places.timeoutMs);
    const passed = result('pass', plainFailure(''));
    isLeft = await places.used.leave(check, trial, world);
    return passed;
  } catch (error) {
    const secrets = [...trial.secrets, ...(places.api.secretsOf?.(world) ?? [])];
    return result(outcomeOf(error, world), describeFailure(error, { ...trial, secrets }));
  } finally {
    if (!isLeft) await trial.dispose();
  }
}

/** The world that the check shares, or why it cannot be furnished where real parts are used. */
async function openBase<H extends Held>({ options: { shared } }: Check<H>, sharedWorld: OpenShared<H>) {
  if (shared === undefined) return null;
  return sharedWorld(shared).catch((error: unknown) => {
    if (error instanceof NotApplicable) return error;
    throw error;
  });
}

class TimedOut extends Error {}

async function withinTime<H extends Held>(
  check: Check<H>,
  trial: Trial<H>,
  timeoutMs: number,
): Promise<void> {
  const limit = Math.max(check.options.timeoutMs ?? 0, timeoutMs);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut(`not decided within ${limit} ms`));
      trial.abandon();
    }, limit);
  });
  const decided = check.run(trial.held);
  // The run goes on after a time-out until its world is gone; what it throws then is of no interest.
  decided.catch(() => undefined);
  try {
    await Promise.race([decided, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function outcomeOf(error: unknown, world: AnyWorld): Outcome {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof NotApplicable) return 'not-applicable';
  if (error instanceof CheckFailed || error instanceof CannotStart) return 'fail';
  return isMissingFile(error, world) ? 'fail' : 'suite-error';
}

/** A file that a check looks for in its world and does not find is the implementation's fault. */
function isMissingFile(error: unknown, world: AnyWorld): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && path?.startsWith(world.root) === true;
}

/** A deviation turns a failure into the expected one, and a pass into a fault of the list. */
function settle(outcome: Outcome, deviates: boolean): Outcome {
  if (!deviates) return outcome;
  if (outcome === 'pass') return 'unexpected-pass';
  return outcome === 'fail' || outcome === 'timeout' ? 'expected-fail' : outcome;
}

const longestFirst = <H extends Held>(checks: readonly Check<H>[]) =>
  [...checks].sort((one, other) => (other.options.timeoutMs ?? 0) - (one.options.timeoutMs ?? 0));

/** The same order for the same seed. */
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
