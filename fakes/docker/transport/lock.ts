import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hex } from '../model/digest.ts';

const patienceMs = 30_000;

/**
 * Runs `work` while no other process does for this folder. The lock is an abstract socket
 * name: the kernel gives it to one process and takes it back when that process ends, however
 * it ends, so a killed caller leaves nothing to clean up.
 */
export async function withLock<T>(folder: string, work: () => T): Promise<T> {
  const release = await takeName(`\0boxgate-docker-${hex(folder)}`);
  try {
    return work();
  } finally {
    await release();
  }
}

/** Waits for its turn; what it answers gives the name back. */
export async function takeName(name: string): Promise<() => Promise<void>> {
  const giveUpAt = Date.now() + patienceMs;
  while (Date.now() < giveUpAt) {
    const release = await tryName(name);
    if (release) return release;
    await pause(1 + Math.random() * 6);
  }
  throw new Error(`${name.slice(1)}: somebody had this lock for ${patienceMs} ms`);
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
