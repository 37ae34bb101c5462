import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { boundedOutput } from './bounded-output.ts';
import { closeAbandonedOutput, type EndCause, endGroup } from './process-group.ts';

const defaultOutputLimit = 16 * 1024 * 1024;
const stderrTailLength = 64 * 1024;

export type CommandOptions = {
  cwd?: string;
  /** The whole environment of the command. Default: the environment of this process. */
  env?: Record<string, string | undefined>;
  timeoutMs: number;
  /** Ends the command when it and its children have done nothing for this time: no input, no output, no computation. */
  idleMs?: number | undefined;
  /** Called with each part of an output. A number is a new time limit in milliseconds, from now on. */
  onOutput?: ((text: string) => number | undefined) | undefined;
  /** Descriptor of an open file that the command inherits as its descriptor 3. */
  inherited?: number | undefined;
  /** An abort ends the command like a time limit. */
  signal?: AbortSignal;
  /** Standard input of the command; empty by default. */
  stdin?: string;
  /** Bytes kept of each output, half from its start and half from its end. */
  outputLimit?: number;
  /**
   * Accepts a standard output without its middle, for callers that only show it. By default a longer output is a
   * failure, because what is left of a list would look like the whole list.
   */
  mayBeCut?: boolean;
  /** Memory that the program may allocate, in KiB. Needs a shell at `/bin/sh`. */
  memoryKib?: number | undefined;
};

export type CommandOutput = { stdout: string; stderr: string };

/** A command that did not end with status 0: its arguments, how it ended and the end of its errors. */
export class CommandFailed extends Error {
  readonly argv: readonly string[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderrTail: string;
  readonly timedOut: boolean;
  /** It was ended because it made no progress. */
  readonly isIdle: boolean;
  /** The program does not exist, neither on PATH nor at the given path. */
  readonly notFound: boolean;
  /** The standard output was longer than the limit, and `stdout` lacks its middle. */
  readonly isCut: boolean;

  constructor(argv: readonly string[], ending: Ending, reason: string, cause?: unknown) {
    const stderrTail = tailOf(ending.stderr).trim();
    super(`${argv.join(' ')}: ${reason}${stderrTail === '' ? '' : `: ${stderrTail}`}`, { cause });
    this.name = 'CommandFailed';
    this.argv = argv;
    this.status = ending.status;
    this.signal = ending.signal;
    this.stdout = ending.stdout;
    this.stderrTail = stderrTail;
    this.timedOut = ending.timedOut;
    this.isIdle = ending.isIdle ?? false;
    this.notFound = ending.notFound;
    this.isCut = ending.isCut;
  }
}

type Ending = Pick<CommandFailed, 'status' | 'signal' | 'stdout' | 'timedOut' | 'notFound' | 'isCut'> & {
  stderr: string;
  isIdle?: boolean;
};

/**
 * Runs a program without a shell. Returns its output after it ended with status 0. The program leads its own process
 * group: a signal to our group does not reach it, and a time limit ends the whole group, first with SIGTERM, then with
 * SIGKILL. The promise settles after the program ended and its output closed.
 */
export function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandOutput> {
  const [program = '', ...args] = options.memoryKib === undefined ? argv : withLimit(argv, options.memoryKib);
  return new Promise((resolve, reject) => {
    const limit = options.outputLimit ?? defaultOutputLimit;
    const stdout = boundedOutput(limit);
    const stderr = boundedOutput(limit);
    const inherited = options.inherited === undefined ? [] : [options.inherited];
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      detached: true,
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...inherited],
    });
    const end = endGroup(child, options);
    let limitMs = options.timeoutMs;
    const ending = (status: number | null, signal: NodeJS.Signals | null, notFound: boolean): Ending => ({
      status,
      signal,
      stdout: stdout.text(),
      stderr: stderr.text(),
      timedOut: end.cause() === 'time limit',
      isIdle: end.cause() === 'no progress',
      notFound,
      isCut: stdout.isCut(),
    });

    for (const [stream, kept] of [[child.stdout, stdout] as const, [child.stderr, stderr] as const]) {
      stream?.on('data', (chunk: Buffer) => {
        kept.add(chunk);
        const newLimitMs = options.onOutput?.(chunk.toString());
        if (newLimitMs === undefined) return;
        limitMs = newLimitMs;
        end.limit(limitMs);
      });
    }
    child.stdin?.on('error', () => {}); // A program may end without reading its input; then its status decides.
    child.stdin?.end(options.stdin);

    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return; // The signal could not be sent; the close event decides.
      end.stop();
      const { reason, notFound } = whyNotStarted(error, options.cwd);
      reject(new CommandFailed(argv, ending(null, null, notFound), reason, error));
    });
    child.on('exit', () => closeAbandonedOutput(child));
    child.on('close', (status, signal) => {
      end.stop();
      const outcome = ending(status, signal, options.memoryKib !== undefined && status === notFoundStatus);
      const cause = end.cause();
      const isComplete = options.mayBeCut || !outcome.isCut;
      if (status === 0 && cause === undefined && isComplete) {
        return resolve({ stdout: outcome.stdout, stderr: outcome.stderr });
      }
      const reason = reasonOf(outcome, cause, cause === 'no progress' ? options.idleMs : limitMs);
      reject(new CommandFailed(argv, outcome, reason, options.signal?.reason));
    });
  });
}

/** A shell ends with this status if it does not find a program. */
const notFoundStatus = 127;

function withLimit(argv: readonly string[], kib: number): string[] {
  // A limit that is lower already stays.
  return ['/bin/sh', '-c', `ulimit -d ${kib} 2>/dev/null; exec "$0" "$@"`, ...argv];
}

/**
 * The last whole lines, because masking would miss half a secret. If there is only one long line: its last whole words.
 */
function tailOf(text: string): string {
  if (text.length <= stderrTailLength) return text;
  const tail = text.trimEnd().slice(-stderrTailLength);
  const newline = tail.indexOf('\n');
  return tail.slice((newline === -1 ? tail.indexOf(' ') : newline) + 1);
}

/** Tells a missing program from a missing working directory. The system reports both with the same code. */
function whyNotStarted(error: NodeJS.ErrnoException, cwd: string | undefined) {
  if (cwd !== undefined && !existsSync(cwd)) return { reason: `no directory ${cwd}`, notFound: false };
  const notFound = error.code === 'ENOENT';
  return { reason: notFound ? 'command not found' : error.message, notFound };
}

function reasonOf(ending: Ending, cause: EndCause | undefined, limitMs = 0): string {
  if (cause === 'time limit') return `took longer than ${limitMs / 1000} s`;
  if (cause === 'no progress') return `made no progress for ${limitMs / 1000} s`;
  if (cause === 'abort') return 'was stopped';
  if (ending.signal !== null) return `ended by ${ending.signal}`;
  if (ending.status === 0) return 'its output is too long to be read as a whole';
  return `exit status ${ending.status}`;
}
