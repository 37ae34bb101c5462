import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { residentProgram } from '../program.ts';
import { type Address, findBash } from './launcher.ts';

/**
 * The fake in a thread of this process, for callers with hundreds of calls: a Node process for each would take ten
 * times as long. A thread, because a caller may wait for `docker` synchronously. It ends with this process and does not
 * keep it alive.
 */
export type Resident = Address & { bash: string; close(): Promise<void> };

/** `null` if the machine has no bash. */
export async function openResident(): Promise<Resident | null> {
  const bash = findBash();
  if (bash === null) return null;
  const secret = randomBytes(16).toString('hex');
  const thread = new Worker(residentProgram(), { workerData: { secret } });
  const [port] = (await once(thread, 'message')) as [number];
  thread.on('error', (error) => {
    // Its launchers now start a Node process for each call.
    process.stderr.write(`fake docker: its thread ended, calls are slower from now on: ${error.stack}\n`);
  });
  thread.unref();
  return { port, secret, bash, close: async () => void (await thread.terminate()) };
}
