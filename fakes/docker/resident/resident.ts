import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { residentProgram } from '../program.ts';
import { type Address, findBash } from './launcher.ts';

/**
 * The stand-in kept ready in a thread of this process, for whoever has hundreds of calls of `docker` made: a Node of
 * its own costs each of them ten times what it does. A thread, because whoever makes a call may wait for it
 * without listening to anything else. It ends with this process, and keeps it from ending as little as a timer that is
 * not waited for.
 */
export type Resident = Address & { bash: string; close(): Promise<void> };

/** Null on a machine without bash. */
export async function openResident(): Promise<Resident | null> {
  const bash = findBash();
  if (bash === null) return null;
  const secret = randomBytes(16).toString('hex');
  const thread = new Worker(residentProgram(), { workerData: { secret } });
  const [port] = (await once(thread, 'message')) as [number];
  thread.on('error', (error) => {
    // Nobody can reach it any more, so its launchers start a Node each from now on.
    process.stderr.write(`fake docker: its thread ended, calls take longer from now on: ${error.stack}\n`);
  });
  thread.unref();
  return { port, secret, bash, close: async () => void (await thread.terminate()) };
}
