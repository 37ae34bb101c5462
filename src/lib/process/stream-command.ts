import { spawn } from 'node:child_process';
import { boundedOutput } from './bounded-output.ts';
import { endGroup } from './process-group.ts';
import { CommandFailed } from './run-command.ts';

const stderrLimit = 64 * 1024;

export type StreamOptions = {
  env: Record<string, string | undefined>;
  timeoutMs: number;
  /** Ends the program when it and its children have done nothing for this time. */
  idleMs: number;
  /** An abort ends the program, and the parts without a failure. */
  signal: AbortSignal;
};

/**
 * The standard output of a program, in parts. The program waits while nobody takes the next part, and is ended when the
 * caller stops early. Throws CommandFailed after the last part unless the program ended with status 0.
 */
export async function* streamCommand(argv: readonly string[], options: StreamOptions): AsyncGenerator<Buffer> {
  const [program = '', ...args] = argv;
  const { env, signal } = options;
  if (signal.aborted) return;
  const stderr = boundedOutput(stderrLimit);
  const child = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise: ended, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
  child.on('error', (error) => child.pid === undefined && resolve(error));
  child.on('close', () => resolve(null));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  const stopped = new AbortController();
  const end = endGroup(child, { ...options, signal: AbortSignal.any([signal, stopped.signal]) });
  try {
    for await (const part of child.stdout) yield part as Buffer;
    const error = await ended;
    if (signal.aborted || (error === null && child.exitCode === 0)) return;
    const ending = {
      status: child.exitCode,
      signal: child.signalCode,
      stdout: '',
      stderr: stderr.text(),
      timedOut: end.cause() === 'time limit',
      isIdle: end.cause() === 'no progress',
      notFound: error?.code === 'ENOENT',
      isCut: false,
    };
    throw new CommandFailed(argv, ending, error?.message ?? `exit status ${child.exitCode}`, error);
  } finally {
    stopped.abort();
    child.stdout.destroy();
    await ended;
    end.stop();
  }
}
