import { makeQueue } from '../../../lib/queue.ts';
import { TunnelFailed } from '../../ports.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { isLockTimeout, isStale } from './postgres-errors.ts';

/** Advisory lock keys are pairs: (application id, lock id). Ids of processes begin at `processesFrom`. */
export const lockKeys = { ours: 0x626f78, migrate: 1, tunnelManager: 2, processesFrom: 1_000 } as const;

/**
 * Runs one piece of work at a time over all processes, under an advisory lock on its own connection. If the connection
 * breaks during the work, another process may start its own; that is rare, and work is limited in time. Throws
 * TunnelFailed, as for a busy tunnel manager, if the lock is not free in time.
 */
export function makeManagerLock(database: PostgresDatabase, turnMs = 20_000) {
  const queue = makeQueue();
  let session: Session | null = null;

  async function connected(): Promise<Session> {
    if (session !== null) return session;
    const opened = await database.connect({ lockMs: turnMs, answerMs: turnMs + 5_000 });
    opened.onEnd(() => {
      if (session === opened) session = null;
    });
    session = opened;
    return opened;
  }

  async function lock(isSecondTry = false): Promise<Session> {
    const holder = await connected();
    try {
      await holder.ask('SELECT pg_advisory_lock($1, $2)', [lockKeys.ours, lockKeys.tunnelManager]);
      return holder;
    } catch (error) {
      if (isLockTimeout(error)) throw new TunnelFailed('busy with other gateway processes');
      await drop(holder);
      // The connection may have broken long ago, because it is unused between two calls.
      if (isStale(error) && !isSecondTry) return await lock(true);
      throw error;
    }
  }

  /** Closes the connection if the lock cannot be released, which releases it. */
  async function unlock(holder: Session): Promise<void> {
    const released = holder.ask('SELECT pg_advisory_unlock($1, $2)', [lockKeys.ours, lockKeys.tunnelManager]);
    await released.catch(() => drop(holder));
  }

  async function drop(holder: Session): Promise<void> {
    if (session === holder) session = null;
    await holder.end();
  }

  return {
    exclusively: <Result>(work: () => Promise<Result>): Promise<Result> =>
      queue(async () => {
        const holder = await lock();
        try {
          return await work();
        } finally {
          await unlock(holder);
        }
      }),
    async close(): Promise<void> {
      if (session !== null) await drop(session);
    },
  };
}
