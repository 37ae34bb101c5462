import { randomUUID } from 'node:crypto';
import type { AnyContext } from '../kernel/check.ts';
import type { CheckContext, StartOptions } from '../kernel/context.ts';
import type { ContractPart, ResponseContract, Violation } from '../kernel/contract.ts';
import {
  type Exchange,
  type HoldGroup,
  makeHoldGroup,
  NoResponse,
  type Observed,
  type OutgoingRequest,
  sendRequest,
} from '../kernel/exchange.ts';
import { CheckFailed, TooSlow } from '../kernel/expect.ts';
import type { Journal, JournalEntry } from '../kernel/journal.ts';
import { patient } from '../kernel/patience.ts';
import { observedIn, sendBytes } from '../kernel/raw-exchange.ts';
import {
  CannotStart,
  contractLimits,
  describeEnd,
  keptOutputLength,
  killAndWait,
  type LaunchOptions,
  type Subject,
  startSubject,
} from '../kernel/subject.ts';

/** One run of one check: its context, and what the runner and the reports need. */
export type CheckRun<Context extends AnyContext> = {
  context: Context;
  /** The latest exchanges. */
  exchanges: Exchange[];
  journal: Journal;
  secrets: string[];
  /** The processes of the implementation that the check used, including those that did not start. */
  processes: SeenProcess[];
  /** When the check began, in milliseconds since 1970. */
  began: number;
  /** The responses that violate a part of the response contract that the check does not verify. */
  violations: Violation[];
  /** Whether the implementation did not answer something in time. */
  wasLate: () => boolean;
  /** The running implementation, if it was started like any other. `null` if the check chose how, or ended it. */
  plainSubject: () => Subject | null;
  dispose: () => Promise<void>;
  /** Kills everything at once, after a timeout. */
  abandon: () => void;
};

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

const keptExchanges = 20;

export function openCheckRun<Context extends AnyContext>(options: CheckRunOptions<Context>): CheckRun<Context> {
  const { environment, argv, seed, verifies, requestMs } = options;
  const exchanges: Exchange[] = [];
  const journal: Journal = [];
  const secrets: string[] = [];
  const violations: Violation[] = [];
  let wasLate = false;
  let group: HoldGroup | null = null;
  const subjects = makeSubjects(options);

  const send = async (request: OutgoingRequest) => {
    const hold = group?.add();
    const subject = await subjects.running();
    const entry: JournalEntry = { by: 'request', request, response: null };
    journal.push(entry);
    const limits = requestMs === undefined ? {} : { timeoutMs: requestMs };
    const exchange = await sendRequest(subject.port, { ...limits, ...request }, hold).catch(async (error: unknown) => {
      if (!(error instanceof NoResponse)) throw error;
      if (error.isLate) wasLate = true;
      throw await whyNoResponse(error, subject);
    });
    options.onExchange?.(exchange);
    entry.response = exchange;
    exchanges.push(exchange);
    if (exchanges.length > keptExchanges) exchanges.shift();
    for (const violation of (await options.contract()).violationsOf(exchange)) {
      if (verifies.includes(violation.part)) throw violation.failure;
      violations.push(violation);
    }
    return exchange;
  };
  const request = (one: OutgoingRequest) => {
    const exchange = send(one);
    // A failed check no longer awaits its other requests. Their rejections must not end the process.
    exchange.catch(() => undefined);
    return exchange;
  };
  const together = async <T>(begin: () => Promise<T>[]): Promise<T[]> => {
    const { port } = await subjects.running();
    const held = makeHoldGroup();
    group = held;
    const answers = Promise.all(begin());
    group = null;
    // The caller hears of a rejection after the release.
    answers.catch(() => undefined);
    await held.allHeld();
    // A server that answers a later connection has accepted the earlier ones.
    await sendRequest(port, { method: 'GET', path: '/', timeoutMs: 1000 }).catch(() => undefined);
    held.release();
    return answers;
  };
  const hide = (text: string) => {
    if (!secrets.includes(text)) secrets.push(text);
  };
  const { start, startBeside, stop, kill, subject, plainSubject, dispose, abandon } = subjects;
  const context = options.openContext({
    environment,
    argv,
    seed,
    request,
    get: (path, headers = {}) => request({ method: 'GET', path, headers }),
    post: (path, body, headers = {}) => request({ method: 'POST', path, headers, body }),
    together,
    raw: async (one) => {
      const { port } = await subjects.running();
      const entry: JournalEntry = { by: 'bytes', request: one, exchange: null };
      journal.push(entry);
      entry.exchange = await sendBytes(port, one);
      if (entry.exchange.isLate) wasLate = true;
      for (const observed of observedIn(one, entry.exchange)) options.onExchange?.(observed);
      return entry.exchange;
    },
    start,
    startBeside,
    stop,
    restart: async () => {
      await stop();
      return start();
    },
    kill,
    subject,
    secret: () => {
      const text = `S3cr${randomUUID().replaceAll('-', '')}`;
      hide(text);
      return text;
    },
    hide,
    journal,
  });
  return {
    context,
    exchanges,
    journal,
    secrets,
    processes: subjects.processes,
    began: Date.now(),
    violations,
    wasLate: () => wasLate,
    plainSubject,
    dispose,
    abandon,
  };
}

/** Distinguishes a crash from a hang and from a closed connection. */
async function whyNoResponse(error: NoResponse, subject: Subject): Promise<CheckFailed> {
  if (error.isLate) return new TooSlow(`the implementation hangs: ${error.message}`);
  // The connection breaks a moment before the process has ended.
  const end = await subject.waitForEnd(500);
  if (end === null) return new CheckFailed(`the implementation runs, but sent no response: ${error.message}`);
  const what = end.sent === null ? 'the implementation crashed' : 'the implementation had ended';
  return new CheckFailed(`${what}: ${error.message}; it ${describeEnd(end)}`);
}

/** A start that takes too long is a hang, which the runner tries again with more patience. */
export function startFailure(error: unknown): unknown {
  if (!(error instanceof CannotStart && error.isLate)) return error;
  return new TooSlow(`the implementation hangs at its start: ${error.message}`);
}

/** The processes of the implementation in one environment. Only one of them serves the requests of the check. */
function makeSubjects<Context extends AnyContext>({
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
