import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxContext } from '../context.ts';

const lockFile = (box: BoxContext) => join(box.environment.stateDir, 'update.lock');

/** Holds the update lock during `run`. */
export async function holdingLock(box: BoxContext, run: () => Promise<void>): Promise<void> {
  mkdirSync(box.environment.stateDir, { recursive: true });
  const holder = spawn('flock', ['-n', lockFile(box), 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await held(holder);
  try {
    await run();
  } finally {
    holder.stdin?.end();
    await once(holder, 'exit');
  }
}

async function held(holder: ChildProcess) {
  const ended = once(holder, 'exit').then(() => {
    throw new Error('flock could not take the lock that this check is to hold');
  });
  await Promise.race([once(holder.stdout ?? holder, 'data'), ended]);
  ended.catch(() => undefined);
}

/** Whether the update lock is held. */
export async function isLocked(box: BoxContext): Promise<boolean> {
  const probe = spawn('flock', ['-n', lockFile(box), 'true'], { stdio: 'ignore' });
  const [status] = await once(probe, 'exit');
  return status !== 0;
}
