import { connect } from 'node:net';
import { takeName } from '../../fakes/docker/transport/lock.ts';
import { freePort } from '../../fakes/ports.ts';
import type { Held, RunOptions } from '../run/check-run.ts';
import { equal } from './expect.ts';
import { CannotStart, type Subject } from './subject.ts';

export type EndedAtOnce = { status: number | null | string; stderr: string };

/**
 * Starts an implementation although it cannot run so, and tells how it ended. The environment may name another port
 * than the one on which it is waited for.
 */
export async function startAndEnd(
  start: Held['start'],
  { environment = {}, flags = [] }: Pick<RunOptions, 'environment' | 'flags'>,
): Promise<EndedAtOnce> {
  try {
    await start({ port: await freePort(), environment, flags });
  } catch (error) {
    if (!(error instanceof CannotStart) || error.ended === null) throw error;
    return { status: error.ended.status, stderr: error.stderr };
  }
  return { status: 'it runs', stderr: '' };
}

/** Does what only one run of the suite on this machine can do at a time; kernel and process end give it free. */
export async function takingTurns(what: string, work: () => Promise<void>): Promise<void> {
  const release = await takeName(`\0boxgate-conformance ${what}`);
  try {
    await work();
  } finally {
    await release();
  }
}

/** Whether somebody takes connections there. */
export function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * What was written since `before` tells of changes and of no request. A warning may stand on standard error all the
 * same, so only under the profile every line has to be that of a change.
 */
export function tellsOfChangesOnly(
  { stdout, stderr }: Pick<Subject, 'stdout' | 'stderr'>,
  before: [stdout: string, stderr: string],
  { paths, change, profile }: { paths: RegExp; change: RegExp; profile: boolean },
): void {
  const more = stderr().slice(before[1].length);
  equal('standard output', stdout(), before[0]);
  equal('a line on standard error that names a path', paths.exec(more)?.[0] ?? null, null);
  if (!profile) return;
  const others = more.split('\n').filter((line) => line !== '' && !change.test(line));
  equal('lines on standard error that are of no change', others, []);
}
