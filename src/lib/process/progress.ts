import { readdirSync, readFileSync } from 'node:fs';

/** A waiting program of Go does less: a byte now and then, and hardly a tick. */
const bytesPerSecond = 64;
const ticksPerSecond = 2;

type Work = { bytes: number; ticks: number };

/**
 * Calls `onIdle` once if the process and its children have neither read nor written nor computed anything for this
 * time, by the counters of the kernel. Without readable counters it is never called. Returns a function that ends this.
 */
export function watchProgress(pid: number, idleMs: number, onIdle: () => void): () => void {
  let before = workOf(pid);
  let since = performance.now(); // Stands still while the machine sleeps.
  const timer = setInterval(() => {
    const work = workOf(pid);
    if (before === null || work === null || isProgress(before, work, idleMs / 1000)) {
      before = work;
      since = performance.now();
    } else if (performance.now() - since >= idleMs) {
      clearInterval(timer);
      onIdle();
    }
  }, idleMs / 5);
  return () => clearInterval(timer);
}

function isProgress(before: Work, work: Work, seconds: number): boolean {
  // A child that ends takes its counters away.
  const isReading = Math.abs(work.bytes - before.bytes) >= bytesPerSecond * seconds;
  return isReading || Math.abs(work.ticks - before.ticks) >= ticksPerSecond * seconds;
}

/** What a process and its children have done so far; `null` if the kernel does not say it. */
function workOf(pid: number): Work | null {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8');
    const bytes = [...io.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may have spaces.
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    const own = { bytes, ticks: (user ?? 0) + (system ?? 0) };
    return childrenOf(pid)
      .map(workOf)
      .reduce<Work>(
        (sum, one) => ({ bytes: sum.bytes + (one?.bytes ?? 0), ticks: sum.ticks + (one?.ticks ?? 0) }),
        own,
      );
  } catch {
    return null; // It has ended, or belongs to another user.
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  });
}
