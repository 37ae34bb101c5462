import { randomUUID } from 'node:crypto';
import type { Judge } from '../kernel/contract.ts';
import { type Asked, type Exchange, exchange, NoAnswer } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal, Step } from '../kernel/journal.ts';
import { observedIn, type RawAsked, type RawExchange, rawExchange } from '../kernel/raw-exchange.ts';
import { type Ended, type StartOptions, type Subject, startSubject } from '../kernel/subject.ts';
import type { Observed } from './coverage.ts';

/** What an implementation stands in; removing it leaves nothing behind, and can be done twice. */
export type AnyWorld = {
  root: string;
  /** What an implementation is started with, beside its port. */
  environment: () => Record<string, string>;
  dispose: () => void | Promise<void>;
};

/**
 * What a check holds in its hands: a world, and the implementation that stands in it. It starts at the first
 * request, so that a check can furnish its world before. Every answer goes past the judge.
 */
export type Held<World extends AnyWorld = AnyWorld> = {
  world: World;
  /** The command line that the operator gave. */
  argv: readonly string[];
  seed: number;
  /** Asks for every word, `choice` rules included. */
  profile: boolean;
  get: (path: string, headers?: Record<string, string>) => Promise<Exchange>;
  /** Without a body none is sent; text and bytes go as they are, any other value as JSON. */
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Exchange>;
  request: (asked: Asked) => Promise<Exchange>;
  raw: (asked: RawAsked) => Promise<RawExchange>;
  start: (options?: RunOptions) => Promise<Subject>;
  /** A further process beside the one that answers; it ends with the world at the latest. */
  startBeside: (options?: RunOptions) => Promise<Subject>;
  stop: () => Promise<Ended>;
  restart: () => Promise<Subject>;
  /** The process group dies at once. */
  kill: () => Promise<void>;
  subject: () => Subject;
  /** A fresh text that no report shows, and that no answer may hold. */
  secret: () => string;
  /** Keeps a text out of reports. */
  hide: (text: string) => void;
  /** What was sent so far; whoever does something by hand that matters adds it. */
  journal: Journal;
};

/** How one run differs from the usual one. Flags come after the command line that the operator gave. */
export type RunOptions = Partial<StartOptions> & { flags?: string[] };

/** The runner's side of it: what a report needs and how it all ends. */
export type Trial<H extends Held> = {
  held: H;
  exchanges: Exchange[];
  journal: Journal;
  secrets: string[];
  /** The implementation that runs, where the check has neither started nor ended one by itself; else null. */
  undisturbed: () => Subject | null;
  dispose: () => Promise<void>;
  abandon: () => void;
};

export type TrialOptions<H extends Held> = {
  world: H['world'];
  hold: (held: Held<H['world']>) => H;
  argv: string[];
  judge: () => Promise<Judge>;
  seed: number;
  profile: boolean;
  startTimeoutMs: number;
  onExchange?: (one: Observed) => void;
  /** The running implementation of a world that checks share; it stays as it is. */
  shared?: () => Promise<Subject>;
  /** The implementation that runs already, in a used world. */
  found?: Subject;
};

const keptExchanges = 20;

export function makeTrial<H extends Held>(options: TrialOptions<H>): Trial<H> {
  const { world } = options;
  const exchanges: Exchange[] = [];
  const journal: Journal = [];
  const secrets: string[] = [];
  const runs = makeRuns(options);

  const ask = async (asked: Asked) => {
    const subject = await runs.started();
    const step: Step = { by: 'request', asked, answer: null };
    journal.push(step);
    const answer = await exchange(subject.port, asked).catch((error: unknown) => {
      throw error instanceof NoAnswer
        ? new CheckFailed(`an answer: ${error.message}${fate(subject)}`)
        : error;
    });
    options.onExchange?.(answer);
    step.answer = answer;
    exchanges.push(answer);
    if (exchanges.length > keptExchanges) exchanges.shift();
    (await options.judge()).examine(answer);
    return answer;
  };
  const request = (asked: Asked) => {
    const answer = ask(asked);
    // A check that has failed awaits no more answers: theirs is no fault of the suite.
    answer.catch(() => undefined);
    return answer;
  };
  const hide = (text: string) => {
    if (!secrets.includes(text)) secrets.push(text);
  };
  const held = options.hold({
    world,
    argv: options.argv,
    seed: options.seed,
    profile: options.profile,
    request,
    get: (path, headers = {}) => request({ method: 'GET', path, headers }),
    post: (path, body, headers = {}) => request({ method: 'POST', path, headers, body }),
    raw: async (asked) => {
      const { port } = await runs.started();
      const step: Step = { by: 'bytes', asked, answered: null };
      journal.push(step);
      const answered = await rawExchange(port, asked);
      step.answered = answered;
      for (const one of observedIn(asked, answered)) options.onExchange?.(one);
      return answered;
    },
    start: runs.start,
    startBeside: runs.startBeside,
    stop: runs.stop,
    restart: async () => {
      await runs.stop();
      return runs.start();
    },
    kill: runs.kill,
    subject: runs.subject,
    secret: () => {
      const text = `S3cr${randomUUID().replaceAll('-', '')}`;
      hide(text);
      return text;
    },
    hide,
    journal,
  });
  const { undisturbed, dispose, abandon } = runs;
  return { held, exchanges, journal, secrets, undisturbed, dispose, abandon };
}

/** The runs of the implementation in one world, one at a time; a shared one is only ever used. */
function makeRuns<H extends Held>({ world, argv, startTimeoutMs, shared, found }: TrialOptions<H>) {
  let running: Promise<Subject> | null = found === undefined ? null : Promise.resolve(found);
  let current: Subject | null = found ?? null;
  /** A check that starts or ends one by itself leaves another one than it found. */
  let isUntouched = true;

  const beside: Subject[] = [];

  const run = ({ environment, flags = [], ...rest }: RunOptions) => {
    if (shared !== undefined) throw new Error('a check in a shared world starts and stops nothing');
    return startSubject({
      argv: [...argv, ...flags],
      readyTimeoutMs: startTimeoutMs,
      ...rest,
      environment: { ...hostEnvironment(), ...world.environment(), ...environment },
    });
  };
  const begin = (starting: Promise<Subject>) => {
    running = starting;
    starting.then(
      (subject) => {
        current = subject;
      },
      // What did not start is not there: the next request starts it once more.
      () => {
        if (running === starting) running = null;
      },
    );
    return starting;
  };
  const start = (asked: RunOptions = {}) => {
    isUntouched = false;
    return begin(found === undefined ? run(asked) : endOf(found).then(() => run(asked)));
  };
  const startBeside = async (asked: RunOptions = {}) => {
    isUntouched = false;
    const subject = await run(asked);
    beside.push(subject);
    return subject;
  };
  const started = () => running ?? begin(shared?.() ?? run({}));
  return {
    start,
    startBeside,
    started,
    stop: async () => {
      if (shared !== undefined) throw new Error('a check in a shared world starts and stops nothing');
      const subject = await started();
      isUntouched = false;
      running = null;
      return subject.stop();
    },
    kill: async () => {
      const subject = await started();
      isUntouched = false;
      running = null;
      await endOf(subject);
    },
    subject: () => {
      if (current === null) throw new Error('nothing was started');
      return current;
    },
    undisturbed: () => (isUntouched && shared === undefined && current?.ended() === null ? current : null),
    dispose: async () => {
      if (shared !== undefined) return;
      const subject = await running?.catch(() => null);
      for (const one of [subject, ...beside]) if (one) await endOf(one);
      await world.dispose();
    },
    abandon: () => {
      if (shared !== undefined) return;
      for (const one of [current, ...beside]) one?.kill();
      // What the check still writes may be in the way; once it is over all is taken away again.
      Promise.resolve()
        .then(world.dispose)
        .catch(() => undefined);
    },
  };
}

/** Its whole group dies at once. */
export async function endOf(subject: Subject): Promise<void> {
  subject.kill();
  await subject.stop();
}

function fate(subject: Subject): string {
  const ended = subject.ended();
  if (ended === null) return '';
  const said = subject.stderr().trim().split('\n').slice(-5).join('\n');
  return `; it had ended with ${ended.signal ?? `status ${ended.status}`}${said === '' ? '' : `, saying:\n${said}`}`;
}

/** The machine's environment without anything that configures a box, a gateway or a stand-in. */
export function hostEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value === undefined || /^(BOX_|GATEWAY_|BOXGATE_|DOCKER_|COMPOSE_)/.test(key) ? [] : [[key, value]],
    ),
  );
}
