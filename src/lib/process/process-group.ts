import type { ChildProcess } from 'node:child_process';
import { watchProgress } from './progress.ts';

/** The reason why this program ended a command. */
export type EndCause = 'time limit' | 'no progress' | 'abort';

type EndOptions = { timeoutMs: number; idleMs?: number | undefined; signal?: AbortSignal };

/** From SIGTERM to SIGKILL, and from the end of a program to the end of its output. */
const graceMs = 5000;

/**
 * Ends the child's whole process group at the time limit, when it makes no progress or when the caller aborts. `limit`
 * begins a new time limit in place of the current one; `stop` removes all triggers.
 */
export function endGroup(child: ChildProcess, options: EndOptions) {
  let cause: EndCause | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (why: EndCause) => {
    if (cause !== undefined) return;
    cause = why;
    signalGroup(child, 'SIGTERM');
    killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };
  const onAbort = () => end('abort');
  const limit = (ms: number) => setTimeout(() => end('time limit'), ms);
  let limitTimer = limit(options.timeoutMs);
  const { idleMs } = options;
  const unwatch =
    idleMs === undefined || child.pid === undefined
      ? () => undefined
      : watchProgress(child.pid, idleMs, () => end('no progress'));
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  return {
    cause: () => cause,
    limit(ms: number) {
      clearTimeout(limitTimer);
      limitTimer = limit(ms);
    },
    stop() {
      clearTimeout(limitTimer);
      clearTimeout(killTimer);
      unwatch();
      options.signal?.removeEventListener('abort', onAbort);
      // After a time limit or an abort, kills processes that outlive the group's leader.
      if (cause !== undefined) signalGroup(child, 'SIGKILL');
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // All processes of the group have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * A process that the program left behind may hold its output open for ever. Later output does not belong to the
 * program.
 */
export function closeAbandonedOutput(child: ChildProcess): void {
  const timer = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, graceMs);
  child.on('close', () => clearTimeout(timer));
}
