import type { OwnChanges } from '../route-changes.ts';
import { lockKeys } from './manager-lock.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { Snapshot } from './snapshot.ts';

/** A process that mirrors routes says how far it has got. */
export const sayMirrored = `INSERT INTO processes (id, number, mirrored) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET number = excluded.number, mirrored = excluded.mirrored`;

export const sayGone = 'DELETE FROM processes WHERE id = $1';

const sweepDead = `DELETE FROM processes WHERE id <> $1 AND NOT EXISTS (
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $2 AND objid = number::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const waitMs = 1_000;
const lookEveryMs = 10;
/** Who has not answered by then may be dead: the lock that it held says so. */
const doubtAfterMs = 250;

/** Takes out who is gone without having said so. */
export async function sweepProcesses(database: Pick<PostgresDatabase, 'ask'>, self: string): Promise<void> {
  await database.ask(sweepDead, [self, lockKeys.ours]);
}

/**
 * Waits until every other live process has mirrored what this one has changed so far, for a second at most. All who
 * wait share the looking.
 */
export function makeMirrorWait(
  database: PostgresDatabase,
  self: string,
  own: OwnChanges,
): () => Promise<void> {
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    // Of a change that is made while this is on its way it says nothing.
    const asked = own.unmirrored();
    const others = await database.ask<{ mirrored: Snapshot }>(
      'SELECT mirrored FROM processes WHERE id <> $1',
      [self],
    );
    own.setMirrored(
      asked,
      others.map(({ mirrored }) => mirrored),
    );
  }

  function lookTogether(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null;
    });
    // A database that cannot be asked is waited for like a process that does not answer.
    return looking.catch(() => undefined);
  }

  return async () => {
    const mine = own.unmirrored();
    const isOver = () => mine.every((transaction) => own.isMirrored(transaction));
    const deadline = performance.now() + waitMs;
    const leftMs = () => deadline - performance.now();
    let hasSwept = false;
    while (!isOver() && leftMs() > 0) {
      await Promise.race([lookTogether(), pause(leftMs())]);
      if (isOver()) return;
      if (!hasSwept && leftMs() < waitMs - doubtAfterMs) {
        hasSwept = true;
        void sweepProcesses(database, self).catch(() => undefined); // The same holds for it.
      }
      await pause(lookEveryMs);
    }
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
