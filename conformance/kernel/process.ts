import { takeName } from '../../fakes/docker/transport/lock.ts';
import { freePort } from '../../fakes/ports.ts';
import type { AnyContext } from './check.ts';
import type { StartOptions } from './context.ts';
import { patient } from './patience.ts';
import { CannotStart } from './subject.ts';

export type ImmediateExit = { status: number | null | string; stderr: string };

/** An implementation may listen before it refuses to start. */
const listensFirstMs = 1500;

/** Starts an implementation with settings that it must refuse, and returns how it exited. */
export async function startExpectingExit(
  start: AnyContext['start'],
  { env = {}, flags = [] }: Pick<StartOptions, 'env' | 'flags'>,
): Promise<ImmediateExit> {
  try {
    // `env` may name another port than the one that the suite connects to.
    const subject = await start({ port: await freePort(), env, flags });
    const ended = await subject.waitForEnd(patient(listensFirstMs));
    if (ended !== null) return { status: ended.status, stderr: subject.stderr() };
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
