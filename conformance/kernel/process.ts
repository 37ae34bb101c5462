import { takeName } from '../../fakes/docker/transport/lock.ts';
import { freePort } from '../../fakes/ports.ts';
import type { AnyContext } from './check.ts';
import type { StartOptions } from './context.ts';
import { equal } from './expect.ts';
import { CannotStart, type Subject } from './subject.ts';

export type ImmediateExit = { status: number | null | string; stderr: string };

/** Starts an implementation with settings that it must refuse, and returns how it exited. */
export async function startExpectingExit(
  start: AnyContext['start'],
  { env = {}, flags = [] }: Pick<StartOptions, 'env' | 'flags'>,
): Promise<ImmediateExit> {
  try {
    // `env` may name another port than the one that the suite connects to.
    await start({ port: await freePort(), env, flags });
  } catch (error) {
    if (!(error instanceof CannotStart) || error.ended === null) throw error;
    return { status: error.ended.status, stderr: error.stderr };
  }
  return { status: 'it runs', stderr: '' };
}

/**
 * Holds a lock of this machine during `work`, for work that only one run of the suite can do at a time. The kernel
 * releases the lock if this process dies.
 */
export async function withMachineLock(name: string, work: () => Promise<void>): Promise<void> {
  const release = await takeName(`\0boxgate-conformance ${name}`);
  try {
    await work();
  } finally {
    await release();
  }
}

/**
 * Verifies that the output since `before` logs changes only, no requests. With `strict`, each line of standard error
 * has to log a change. Without it, other warnings are allowed.
 */
export function logsOnlyChanges(
  { stdout, stderr }: Pick<Subject, 'stdout' | 'stderr'>,
  before: [stdout: string, stderr: string],
  { paths, change, strict }: { paths: RegExp; change: RegExp; strict: boolean },
): void {
  const added = stderr().slice(before[1].length);
  equal('standard output', stdout(), before[0]);
  equal('a line on standard error that names a path', paths.exec(added)?.[0] ?? null, null);
  if (!strict) return;
  const others = added.split('\n').filter((line) => line !== '' && !change.test(line));
  equal('lines on standard error that log no change', others, []);
}
