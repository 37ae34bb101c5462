import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../fakes/ports.ts';

/**
 * A running implementation under test. It has its own process group, and SIGTERM to that group stops it. The suite
 * assumes nothing about its programming language.
 */
export type Subject = {
  port: number;
  pid: number;
  /** Sends SIGTERM to the group and waits. After the time limit, kills the group and sets `killed`. */
  stop: (timeoutMs?: number) => Promise<Ended>;
  kill: () => void;
  /** Sends a signal to the whole group. */
  signal: (signal: NodeJS.Signals) => void;
  /** Waits until the implementation exits by itself. `null` after the time limit. */
  waitForEnd: (timeoutMs: number) => Promise<Ended | null>;
  /** `null` while it runs. */
  ended: () => Ended | null;
  stdout: () => string;
  stderr: () => string;
};

export type Ended = { status: number | null; signal: string | null; killed: boolean };

/** The implementation did not start, respond or stop. In the smoke test, this ends the suite with status 2. */
export class CannotStart extends Error {
  readonly ended: Ended | null;
  readonly stderr: string;

  constructor(message: string, ended: Ended | null = null, stderr = '') {
    super(message);
    this.ended = ended;
    this.stderr = stderr;
  }
}

export type LaunchOptions = {
  argv: string[];
  env: Record<string, string | undefined>;
  readyTimeoutMs?: number;
  /** Defaults to a free port. With 0, the implementation chooses the port and prints it. */
  port?: number;
  host?: string;
};

const keptOutputLength = 64 * 1024;

const live = new Set<ChildProcess>();

/** Kills every process group that this process started. */
export function killSubjects(): void {
  for (const child of live) signalGroup(child, 'SIGKILL');
}

process.once('exit', killSubjects);

/** Starts an implementation and waits until its port accepts connections. */
export async function startSubject(options: LaunchOptions): Promise<Subject> {
  const { subject, failure } = launch(options, options.port ?? (await freePort()));
  const end = Date.now() + (options.readyTimeoutMs ?? 30_000);
  for (;;) {
    if (subject.port === 0) subject.port = announcedPort(subject.stdout());
    if (subject.port !== 0 && (await acceptsConnections(options.host ?? '127.0.0.1', subject.port))) return subject;
    const problem = problemOf(subject, failure(), Date.now() > end);
    if (problem !== null) {
      subject.kill();
      throw new CannotStart(`${options.argv.join(' ')}: ${problem}`, subject.ended(), subject.stderr());
    }
    await pause(10);
  }
}

/** Spawns the process without waiting for it. `failure` is set if it could not be spawned. */
function launch(options: LaunchOptions, port: number): { subject: Subject; failure: () => Error | null } {
  const [program = '', ...args] = options.argv;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { BOX_PORT: String(port), GATEWAY_PORT: String(port), ...options.env },
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
  const closed = once(child, 'close').catch(() => undefined);
  // The last output can arrive after the exit. A process that outlives its group can keep the pipe open.
  const outputIsRead = () => Promise.race([closed, pause(1000, undefined, { ref: false })]);
  const subject: Subject = {
    port,
    pid: child.pid ?? 0,
    ended: () => ended,
    kill: () => signalGroup(child, 'SIGKILL'),
    signal: (signal) => signalGroup(child, signal),
    waitForEnd: async (timeoutMs) => {
      const end = Date.now() + timeoutMs;
      while (ended === null && Date.now() < end) await pause(10);
      if (ended !== null) await outputIsRead();
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
      if (ended !== null) await outputIsRead();
      return ended ?? { status: null, signal: null, killed: false };
    },
  };
  return { subject, failure: () => failure };
}

/** Collects the end of a stream's output. */
function textOf(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text = (text + chunk).slice(-keptOutputLength);
  });
  return () => text;
}

function announcedPort(stdout: string): number {
  return Number(/^listening on http:\/\/\S*:(\d+)\r?\n/m.exec(stdout)?.[1] ?? 0);
}

function problemOf({ ended, stderr }: Subject, failure: Error | null, isLate: boolean): string | null {
  const end = ended();
  if (failure !== null) return `cannot be started: ${failure.message}`;
  if (end !== null) return describeEnd(end, stderr(), ' before it answered');
  return isLate ? `never answered on its port${lastLines(stderr())}` : null;
}

/** Says how a process ended, with the last lines of its standard error. */
export function describeEnd({ signal, status }: Ended, stderr: string, when = ''): string {
  return `ended with ${signal ?? `status ${status}`}${when}${lastLines(stderr)}`;
}

function lastLines(stderr: string): string {
  const lines = stderr.trim().split('\n').slice(-5).join('\n');
  return lines === '' ? '' : `\n${lines}`;
}

/** Kills the whole process group. */
export async function killAndWait(subject: Subject): Promise<void> {
  subject.kill();
  await subject.stop();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether a connection to this address succeeds. */
export function acceptsConnections(host: string, port: number): Promise<boolean> {
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
