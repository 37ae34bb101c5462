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

/**
 * `sent` is the latest signal that the suite had sent before; none counts after a SIGKILL. `killed` is set if SIGTERM had no
 * effect in time.
 */
export type Ended = { status: number | null; signal: string | null; killed: boolean; sent: string | null };

/** The time that the operating contract gives to a start and to a stop. */
export const contractLimits = { startMs: 30_000, stopMs: 20_000 };

/** The implementation did not start, respond or stop. In the smoke test, this ends the suite with status 2. */
export class CannotStart extends Error {
  readonly ended: Ended | null;
  readonly stderr: string;
  /** The process ran until the time limit. */
  readonly isLate: boolean;

  constructor(message: string, ended: Ended | null = null, stderr = '', isLate = false) {
    super(message);
    this.ended = ended;
    this.stderr = stderr;
    this.isLate = isLate;
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

/** An output keeps its end, of this many characters. */
export const keptOutputLength = 64 * 1024;

const live = new Set<ChildProcess>();

/** Kills every process group that this process started. */
export function killSubjects(): void {
  for (const child of live) signalGroup(child, 'SIGKILL');
}

process.once('exit', killSubjects);

/** Starts an implementation and waits until its port accepts connections. */
export async function startSubject(options: LaunchOptions): Promise<Subject> {
  const { subject, failure } = launch(options, options.port ?? (await freePort()));
  const limitMs = options.readyTimeoutMs ?? contractLimits.startMs;
  const end = Date.now() + limitMs;
  for (;;) {
    if (subject.port === 0) subject.port = announcedPort(subject.stdout());
    if (subject.port !== 0 && (await acceptsConnections(options.host ?? '127.0.0.1', subject.port))) return subject;
    const isLate = Date.now() > end;
    if (failure() !== null || subject.ended() !== null || isLate) {
      // Also reads the last output.
      const ended = await subject.waitForEnd(0);
      subject.kill();
      const problem = ended === null ? notStarted(subject, failure(), limitMs) : await describeExit(subject);
      throw new CannotStart(`${options.argv.join(' ')}: ${problem}`, ended, subject.stderr(), isLate);
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
  let sent: string | null = null;
  const send = (signal: NodeJS.Signals) => {
    // Nothing that follows a SIGKILL changes how the process ends.
    if (ended === null && sent !== 'SIGKILL') sent = signal;
    signalGroup(child, signal);
  };
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (status, signal) => {
    ended = { status, signal, killed, sent };
    live.delete(child);
  });
  const closed = once(child, 'close').catch(() => undefined);
  // The last output can arrive after the exit. A process that outlives its group can keep the pipe open.
  const outputIsRead = () => Promise.race([closed, pause(1000, undefined, { ref: false })]);
  const subject: Subject = {
    port,
    pid: child.pid ?? 0,
    ended: () => ended,
    kill: () => send('SIGKILL'),
    signal: send,
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
        send('SIGTERM');
        const timer = setTimeout(() => {
          killed = true;
          send('SIGKILL');
        }, timeoutMs);
        await once(child, 'exit');
        clearTimeout(timer);
      }
      // Processes of the group may outlive the first one.
      send('SIGKILL');
      if (ended !== null) await outputIsRead();
      return ended ?? { status: null, signal: null, killed: false, sent };
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

function notStarted({ port, stdout }: Subject, failure: Error | null, limitMs: number): string {
  if (failure !== null) return `cannot be started: ${failure.message}`;
  const announced = announcedPort(stdout());
  const hint = announced === 0 || announced === port ? '' : `; it says that it listens on port ${announced}`;
  return `did not answer on its port ${port} within ${limitMs} ms${hint}`;
}

async function describeExit({ port, ended, stderr }: Subject): Promise<string> {
  const end = ended();
  const text = `${end === null ? 'ended' : describeEnd(end)} before it answered`;
  if (!/address (is )?(already )?in use|EADDRINUSE/i.test(stderr())) return text;
  if (await acceptsConnections('127.0.0.1', port)) return `${text}: another process uses its port ${port}`;
  return `${text}: it did not listen on the port that the suite chose, ${port}, which is free`;
}

/** Says how a process ended. */
export function describeEnd({ signal, status, sent }: Ended): string {
  return `ended with ${signal ?? `status ${status}`}${sent === null ? '' : `, after ${sent} of the suite`}`;
}

/** The last lines of an output. */
export function lastLines(output: string, count: number): string[] {
  const text = output.trimEnd();
  return text === '' ? [] : text.split(/\r?\n/).slice(-count);
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
