import { connect } from 'node:net';
import { CannotStart, freePort } from './subject.ts';
import type { Held, RunOptions } from './trial.ts';

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

/** Whether somebody takes connections there. */
export function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}
