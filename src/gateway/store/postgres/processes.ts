import { setTimeout as pause } from 'node:timers/promises';
import { shareWork } from '../../../lib/share-work.ts';
import { StoreFailed } from '../../ports.ts';
import { lockKeys } from './manager-lock.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import type { OwnRevisions } from './revisions.ts';

/** Stores up to which revision a process has updated its route files. */
export const saySynced = `INSERT INTO processes (id, number, revision) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET number = excluded.number, revision = excluded.revision`;

export const sayGone = 'DELETE FROM processes WHERE id = $1';

const removeDead = `DELETE FROM processes WHERE id <> $1 AND NOT EXISTS (
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $2 AND objid = number::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const readLowest = 'SELECT MIN(revision) AS lowest FROM processes WHERE id <> $1';

const waitMs = 1_000;
const readEveryMs = 10;

/** Removes processes that ended without `sayGone`. */
export async function removeDeadProcesses(database: Pick<PostgresDatabase, 'ask'>, self: string): Promise<void> {
  await database.ask(removeDead, [self, lockKeys.ours]);
}

const countRunning = `SELECT COUNT(*) AS running FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid::bigint >= $2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Keeps gateways from starting on the database until the session ends. Throws StoreFailed if one runs or starts.
 */
export async function keepGatewaysOut({ ask }: Pick<Session, 'ask'>): Promise<void> {
  const [lock] = await ask<{ free: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS free', [
    lockKeys.ours,
    lockKeys.migrate,
  ]);
  if (lock?.free !== true) throw new StoreFailed('a gateway is starting on the database, or a copy is under way');
  const [found] = await ask<{ running: number }>(countRunning, [lockKeys.ours, lockKeys.processesFrom]);
  if (found?.running !== 0) throw new StoreFailed(`${found?.running} gateways run on the database: stop them first`);
}

/**
 * Waits until every other live process has updated its route files for all changes that this one made so far, at most
 * one second. Simultaneous waits share their queries.
 */
export function makeSyncWait(database: PostgresDatabase, self: string, own: OwnRevisions): () => Promise<void> {
  const read = shareWork(async () => {
    const { latest } = own; // Read before the query, because its result does not cover later changes.
    const [others] = await database.ask<{ lowest: number | null }>(readLowest, [self]);
    own.syncedElsewhere = Math.max(own.syncedElsewhere, Math.min(latest, others?.lowest ?? latest));
  });

  return async () => {
    const { latest } = own;
    const endsAt = performance.now() + waitMs;
    const leftMs = () => Math.max(0, endsAt - performance.now());
    while (own.syncedElsewhere < latest && leftMs() > 0) {
      // After a failed query the wait goes on to its time limit.
      await Promise.race([read().catch(() => undefined), pause(leftMs())]);
      if (own.syncedElsewhere < latest) await pause(readEveryMs);
    }
  };
}
