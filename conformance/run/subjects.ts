import type { AnyContext } from '../kernel/check.ts';
import type { CheckContext, StartOptions } from '../kernel/context.ts';
import type { ContractPart, ResponseContract } from '../kernel/contract.ts';
import type { Observed } from '../kernel/exchange.ts';
import { TooSlow } from '../kernel/expect.ts';
import { patient } from '../kernel/patience.ts';
import {
  CannotStart,
  contractLimits,
  keptOutputLength,
  killAndWait,
  type LaunchOptions,
  type Subject,
  startSubject,
} from '../kernel/subject.ts';

/** What a report shows of a process of the implementation. */
export type SeenProcess = Pick<Subject, 'ended' | 'stderr'> & {
  /** The command line and the names of variables, if the check chose some. Otherwise `null`. */
  started: string | null;
};

export type CheckRunOptions<Context extends AnyContext> = {
  environment: Context['environment'];
  openContext: (context: CheckContext<Context['environment']>) => Context;
  argv: string[];
  contract: () => Promise<ResponseContract>;
  seed: number;
  /** The parts of the response contract that the check verifies. */
  verifies: readonly ContractPart[];
  /** Time limit of a request. */
  requestMs?: number;
  startTimeoutMs: number;
  stopTimeoutMs: number;
  onExchange?: (one: Observed) => void;
  /** The running implementation of a shared environment. The check may not start or stop it. */
  shared?: () => Promise<Subject>;
  /** The running implementation of a reused environment. */
  reused?: Subject;
};

/** A start that takes too long is a hang, which the runner tries again with more patience. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof CannotStart && error.isLate)) return error;
  return new TooSlow(`the implementation hangs at its start: ${error.message}`);
}

export type Subjects = ReturnType<typeof makeSubjects>;

/** The processes of the implementation in one environment. Only one of them serves the requests of the check. */
export function makeSubjects<Context extends AnyContext>({
  environment,
  argv,
  startTimeoutMs,
  stopTimeoutMs,
  shared,
  reused,
}: CheckRunOptions<Context>) {
  let starting: Promise<Subject> | null = reused === undefined ? null : Promise.resolve(reused);
  let current: Subject | null = reused ?? null;
  /** The check chose flags, variables or an address, or started a second process. */
  let isChosen = false;
  const beside: Subject[] = [];
  const processes: SeenProcess[] = reused === undefined ? [] : [{ ...reused, started: null }];

  /** Called before the check starts or stops a process. */
  const touch = () => {
    if (shared !== undefined)
      throw new Error('a check in a shared environment may not start or stop the implementation');
  };
  const launch = async ({ env, flags = [], ...rest }: StartOptions) => {
    const options = {
      argv: [...argv, ...flags],
      readyTimeoutMs: Math.min(patient(startTimeoutMs), contractLimits.startMs),
      ...rest,
      env: { ...hostEnv(), ...environment.env(), ...env },
    };
    const started = describeStart(options.argv, flags, env);
    const subject = await startSubject(options).catch((error: unknown) => {
      if (error instanceof CannotStart)
        processes.push({ started, ended: () => error.ended, stderr: () => error.stderr });
      throw startFailure(error);
    });
    processes.push({ ...subject, started });
    return subject;
  };
  const openShared = async (open: () => Promise<Subject>) => {
    const subject = await open();
    const before = subject.stderr().length;
    const isCut = () => subject.stderr().length === keptOutputLength;
    // Earlier output belongs to other checks.
    const stderr = () => subject.stderr().slice(isCut() ? 0 : before);
    processes.push({ started: null, ended: subject.ended, stderr });
    return subject;
  };
  const begin = (promise: Promise<Subject>) => {
    starting = promise;
    promise.then(
      (subject) => {
        current = subject;
      },
      // After a failed start, the next request starts the implementation again.
      () => {
        if (starting === promise) starting = null;
      },
    );
    return promise;
  };
  const running = () => starting ?? begin(shared === undefined ? launch({}) : openShared(shared));
  const take = async () => {
    touch();
    const subject = await running();
    starting = null;
    return subject;
  };
  return {
    running,
    processes,
    start: (options: StartOptions = {}) => {
      touch();
      isChosen ||= Object.keys(options).length > 0;
      return begin(reused === undefined ? launch(options) : killAndWait(reused).then(() => launch(options)));
    },
    startBeside: async (options: StartOptions = {}) => {
      touch();
      isChosen = true;
      const subject = await launch(options);
      beside.push(subject);
      return subject;
    },
    stop: async () => {
      const subject = await take();
      const limitMs = Math.min(patient(stopTimeoutMs), contractLimits.stopMs);
      const ended = await subject.stop(limitMs);
      if (ended.killed) throw new TooSlow(`the implementation hangs: it did not stop within ${limitMs} ms of SIGTERM`);
      return ended;
    },
    kill: async () => killAndWait(await take()),
    subject: () => {
      if (current === null) throw new Error('no implementation was started');
      return current;
    },
    plainSubject: () => (!isChosen && shared === undefined && current?.ended() === null ? current : null),
    dispose: async () => {
      if (shared !== undefined) return;
      const subject = await starting?.catch(() => null);
      for (const one of [subject, ...beside]) if (one) await killAndWait(one);
      await environment.dispose();
    },
    abandon: () => {
      if (shared !== undefined) return;
      for (const one of [current, ...beside]) one?.kill();
      // The check may still be writing files, so this removal can fail. `dispose` removes the rest.
      Promise.resolve()
        .then(() => environment.dispose())
        .catch(() => undefined);
    },
  };
}

/** Names variables without their values, which may be secrets. */
function describeStart(
  argv: readonly string[],
  flags: readonly string[],
  env: LaunchOptions['env'] = {},
): string | null {
  const names = Object.keys(env);
  if (flags.length + names.length === 0) return null;
  const words = argv.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word}'`));
  return [...words, ...(names.length > 0 ? ['with', names.join(', ')] : [])].join(' ');
}

/** The environment variables of this process, except those that configure a box, a gateway or a fake. */
export function hostEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value === undefined || /^(BOX_|GATEWAY_|BOXGATE_|DOCKER_|COMPOSE_)/.test(key) ? [] : [[key, value]],
    ),
  );
}
