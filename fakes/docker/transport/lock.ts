import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hex } from '../model/digest.ts';

const patienceMs = 30_000;

/**
 * Runs `work` with the exclusive lock of this folder. The lock is an abstract socket name, which the kernel frees when
 * its process ends.
 */
export async function withLock<T>(folder: string, work: () => T): Promise<T> {
  const release = await takeName(`\0boxgate-docker-${hex(folder)}`);
  try {
    return work();
  } finally {
    await release();
  }
}

/** Waits for the name; the result releases it. */
export async function takeName(name: string): Promise<() => Promise<void>> {
  const giveUpAt = Date.now() + patienceMs;
  while (Date.now() < giveUpAt) {
    const release = await tryName(name);
    if (release) return release;
    await pause(1 + Math.random() * 6);
  }
  throw new Error(`${name.slice(1)}: the lock was not free within ${patienceMs} ms`);
}

function tryName(name: string): Promise<(() => Promise<void>) | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(name, () => resolve(() => new Promise((done) => server.close(() => done()))));
  });
}
