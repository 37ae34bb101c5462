import { randomUUID } from 'node:crypto';
import type { AnyContext } from '../kernel/check.ts';
import type { CheckContext, StartOptions } from '../kernel/context.ts';
import type { ResponseContract } from '../kernel/contract.ts';
import { type Exchange, NoResponse, type Observed, type OutgoingRequest, sendRequest } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal, JournalEntry } from '../kernel/journal.ts';
import { observedIn, sendBytes } from '../kernel/raw-exchange.ts';
import { describeEnd, killAndWait, type Subject, startSubject } from '../kernel/subject.ts';

/** One run of one check: its context, and what the runner and the reports need. */
export type CheckRun<Context extends AnyContext> = {
  context: Context;
  /** The latest exchanges. */
  exchanges: Exchange[];
  journal: Journal;
  secrets: string[];
  /** The running implementation. `null` if the check started, stopped or killed one. */
  untouchedSubject: () => Subject | null;
  dispose: () => Promise<void>;
  /** Kills everything at once, after a timeout. */
  abandon: () => void;
};

export type CheckRunOptions<Context extends AnyContext> = {
  environment: Context['environment'];
  openContext: (context: CheckContext<Context['environment']>) => Context;
  argv: string[];
  contract: () => Promise<ResponseContract>;
  seed: number;
  profile: boolean;
  startTimeoutMs: number;
  onExchange?: (one: Observed) => void;
  /** The running implementation of a shared environment. The check may not start or stop it. */
  shared?: () => Promise<Subject>;
  /** The running implementation of a reused environment. */
  reused?: Subject;
};

const keptExchanges = 20;

export function openCheckRun<Context extends AnyContext>(options: CheckRunOptions<Context>): CheckRun<Context> {
  const { environment, argv, seed, profile } = options;
  const exchanges: Exchange[] = [];
  const journal: Journal = [];
  const secrets: string[] = [];
  const subjects = makeSubjects(options);

  const send = async (request: OutgoingRequest) => {
    const subject = await subjects.running();
    const entry: JournalEntry = { by: 'request', request, response: null };
    journal.push(entry);
    const exchange = await sendRequest(subject.port, request).catch((error: unknown) => {
      if (!(error instanceof NoResponse)) throw error;
      const end = subject.ended();
      throw new CheckFailed(
        `a response: ${error.message}${end === null ? '' : `; it had ${describeEnd(end, subject.stderr())}`}`,
      );
    });
    options.onExchange?.(exchange);
    entry.response = exchange;
    exchanges.push(exchange);
    if (exchanges.length > keptExchanges) exchanges.shift();
    (await options.contract()).verify(exchange);
    return exchange;
  };
  const request = (one: OutgoingRequest) => {
    const exchange = send(one);
    // A failed check no longer awaits its other requests. Their rejections must not end the process.
    exchange.catch(() => undefined);
    return exchange;
  };
  const hide = (text: string) => {
    if (!secrets.includes(text)) secrets.push(text);
  };
  const { start, startBeside, stop, kill, subject, untouchedSubject, dispose, abandon } = subjects;
  const context = options.openContext({
    environment,
    argv,
    seed,
    profile,
    request,
    get: (path, headers = {}) => request({ method: 'GET', path, headers }),
    post: (path, body, headers = {}) => request({ method: 'POST', path, headers, body }),
    raw: async (one) => {
      const { port } = await subjects.running();
      const entry: JournalEntry = { by: 'bytes', request: one, exchange: null };
      journal.push(entry);
      entry.exchange = await sendBytes(port, one);
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
  return { context, exchanges, journal, secrets, untouchedSubject, dispose, abandon };
}

/** The processes of the implementation in one environment. Only one of them serves the requests of the check. */
function makeSubjects<Context extends AnyContext>({
  environment,
  argv,
  startTimeoutMs,
  shared,
  reused,
}: CheckRunOptions<Context>) {
  let starting: Promise<Subject> | null = reused === undefined ? null : Promise.resolve(reused);
  let current: Subject | null = reused ?? null;
  let isUntouched = true;
  const beside: Subject[] = [];

  /** Called before the check starts or stops a process. */
  const touch = () => {
    if (shared !== undefined)
      throw new Error('a check in a shared environment may not start or stop the implementation');
    isUntouched = false;
  };
  const launch = ({ env, flags = [], ...rest }: StartOptions) =>
    startSubject({
      argv: [...argv, ...flags],
      readyTimeoutMs: startTimeoutMs,
      ...rest,
      env: { ...hostEnv(), ...environment.env(), ...env },
    });
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
  const running = () => starting ?? begin(shared?.() ?? launch({}));
  const take = async () => {
    touch();
    const subject = await running();
    starting = null;
    return subject;
  };
  return {
    running,
    start: (options: StartOptions = {}) => {
      touch();
      return begin(reused === undefined ? launch(options) : killAndWait(reused).then(() => launch(options)));
    },
    startBeside: async (options: StartOptions = {}) => {
      touch();
      const subject = await launch(options);
      beside.push(subject);
      return subject;
    },
    stop: async () => (await take()).stop(),
    kill: async () => killAndWait(await take()),
    subject: () => {
      if (current === null) throw new Error('no implementation was started');
      return current;
    },
    untouchedSubject: () => (isUntouched && shared === undefined && current?.ended() === null ? current : null),
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
        .then(environment.dispose)
        .catch(() => undefined);
    },
  };
}

/** The environment variables of this process, except those that configure a box, a gateway or a fake. */
export function hostEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value === undefined || /^(BOX_|GATEWAY_|BOXGATE_|DOCKER_|COMPOSE_)/.test(key) ? [] : [[key, value]],
    ),
  );
}
