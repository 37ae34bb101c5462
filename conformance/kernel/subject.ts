import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../fakes/ports.ts';

/**
 * One running implementation under test. It is started in a process group of its own and ended by SIGTERM to
 * that group; nothing is assumed about the language behind it.
 */
export type Subject = {
  port: number;
  pid: number;
  /** SIGTERM to the group, then waits; a subject that stays is killed and `stopped` says so. */
  stop: (timeoutMs?: number) => Promise<Ended>;
  kill: () => void;
  /** A signal to the whole group. */
  signal: (signal: NodeJS.Signals) => void;
  /** Waits until it has ended by itself; null when it has not within the time. */
  waitForEnd: (timeoutMs: number) => Promise<Ended | null>;
  /** How it ended, or null while it runs. */
  ended: () => Ended | null;
  stdout: () => string;
  stderr: () => string;
};

export type Ended = { status: number | null; signal: string | null; killed: boolean };

/** The implementation did not start, did not answer or did not stop: the suite ends with status 2. */
export class CannotStart extends Error {
  readonly ended: Ended | null;
  readonly stderr: string;

  constructor(message: string, ended: Ended | null = null, stderr = '') {
    super(message);
    this.ended = ended;
    this.stderr = stderr;
  }
}

export type StartOptions = {
  argv: string[];
  environment: Record<string, string | undefined>;
  readyTimeoutMs?: number;
  /** The port that it is told to use; a free one when left out; with 0 it says which one it took. */
  port?: number;
  host?: string;
};

const kept = 64 * 1024;

const live = new Set<ChildProcess>();

/** Kills every group that this process started and that still runs, ready or not. */
export function killSubjects(): void {
  for (const child of live) signalGroup(child, 'SIGKILL');
}

process.once('exit', killSubjects);

/** Starts an implementation and waits until its port takes connections. */
export async function startSubject(options: StartOptions): Promise<Subject> {
  const { subject, failure } = launch(options, options.port ?? (await freePort()));
  const end = Date.now() + (options.readyTimeoutMs ?? 30_000);
  for (;;) {
    if (subject.port === 0) subject.port = announcedPort(subject.stdout());
    if (subject.port !== 0 && (await answers(subject.port, options.host ?? '127.0.0.1'))) return subject;
    const problem = describe(failure(), subject.ended(), Date.now() > end);
    if (problem !== null) {
      subject.kill();
      const said = subject.stderr().trim().split('\n').slice(-5).join('\n');
      const message = `${options.argv.join(' ')}: ${problem}${said === '' ? '' : `\n${said}`}`;
      throw new CannotStart(message, subject.ended(), subject.stderr());
    }
    await pause(10);
  }
}

/** The process, ready or not; `failure` is why it is none. */
function launch(options: StartOptions, port: number): { subject: Subject; failure: () => Error | null } {
  const [program = '', ...args] = options.argv;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { BOX_PORT: String(port), GATEWAY_PORT: String(port), ...options.environment },
  });
  live.add(child);
  let ended: Ended | null = null;
  let failure: Error | null = null;
  let killed = false;
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (status, signal) => {
    ended = { status, signal, killed };
    live.delete(child);
  });
  const subject: Subject = {
    port,
    pid: child.pid ?? 0,
    ended: () => ended,
    kill: () => signalGroup(child, 'SIGKILL'),
    signal: (signal) => signalGroup(child, signal),
    waitForEnd: async (timeoutMs) => {
      const end = Date.now() + timeoutMs;
      while (ended === null && Date.now() < end) await pause(10);
      return ended;
    },
    stdout: textOf(child.stdout),
    stderr: textOf(child.stderr),
    stop: async (timeoutMs = 20_000) => {
      if (ended === null && failure === null) {
        signalGroup(child, 'SIGTERM');
        const timer = setTimeout(() => {
          killed = true;
          signalGroup(child, 'SIGKILL');
        }, timeoutMs);
        await once(child, 'exit');
        clearTimeout(timer);
      }
      signalGroup(child, 'SIGKILL');
      return ended ?? { status: null, signal: null, killed: false };
    },
  };
  return { subject, failure: () => failure };
}

/** What a stream has said so far, the latest of it. */
function textOf(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text = (text + chunk).slice(-kept);
  });
  return () => text;
}

function announcedPort(stdout: string): number {
  return Number(/^listening on http:\/\/\S*:(\d+)\r?\n/m.exec(stdout)?.[1] ?? 0);
}

function describe(failure: Error | null, ended: Ended | null, late: boolean): string | null {
  if (failure !== null) return `cannot be started: ${failure.message}`;
  if (ended !== null) return `ended with ${ended.signal ?? `status ${ended.status}`} before it answered`;
  return late ? 'never answered on its port' : null;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group is gone already, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const settle = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
