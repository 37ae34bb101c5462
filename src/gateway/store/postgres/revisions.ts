import { type Operation, query, queryOne, sql } from '../statement.ts';

/**
 * Each transaction that changes a route file raises the revision, and stores it as the revision of every box that it
 * changed, removed boxes included. The row of the counter stays locked until the commit, so transactions commit in the
 * order of their revisions: a reader that has read up to one revision never misses a lower one. Every such transaction
 * takes this lock last.
 */
export type Position = {
  revision: number;
  /** Start time of the server. A restarted server may run on an older copy of the database. */
  server: string;
};

export const channel = 'boxgate_routes';

/** Raises the revision and wakes the other processes at the commit; `null` if no box was changed. */
export function* raiseRevision(changedBoxes: readonly string[]): Operation<number | null> {
  if (changedBoxes.length === 0) return null;
  const row = yield* queryOne<{ revision: number }>(
    sql`WITH raised AS (UPDATE route_revision SET revision = revision + 1 RETURNING revision)
      INSERT INTO changed_routes AS changed (box_id, revision)
      SELECT box_id, raised.revision FROM raised, json_array_elements_text(${JSON.stringify(changedBoxes)}::json) AS box_id
      ON CONFLICT (box_id) DO UPDATE SET revision = excluded.revision
      RETURNING changed.revision, pg_notify(${channel}, '')`,
  );
  return row?.revision ?? null;
}

const position = 'SELECT revision, pg_postmaster_start_time()::text AS server';

export const readPosition = `${position} FROM route_revision`;

/** The next position, and the boxes that changed after revision `$1`; one statement, so both are of one snapshot. */
export const readChanges = `${position},
    (SELECT json_agg(box_id) FROM changed_routes WHERE changed_routes.revision > $1) AS boxes
  FROM route_revision`;

/** A process that is further behind writes all route files. */
export const keptRevisions = 10_000;

export function* forgetOldChanges(): Operation<void> {
  yield* query(
    sql`DELETE FROM changed_routes WHERE revision <= (SELECT revision FROM route_revision) - ${keptRevisions}`,
  );
}

/** The revisions of this process whose commit was confirmed. */
export class OwnRevisions {
  readonly #made = new Set<number>();
  /** The highest of these revisions. */
  latest = 0;
  /** Every other process has updated its route files up to this revision. */
  syncedElsewhere = 0;

  add(revision: number): void {
    this.#made.add(revision);
    this.latest = Math.max(this.latest, revision);
  }

  /** Whether this process made every revision after `from`, up to and including `to`. */
  areAll(from: number, to: number): boolean {
    for (let revision = from + 1; revision <= to; revision += 1) if (!this.#made.has(revision)) return false;
    return true;
  }

  forgetUpTo(revision: number): void {
    for (const made of this.#made) if (made <= revision) this.#made.delete(made);
  }

  /** Forgets all revisions. Called when the database was replaced by a copy, whose revisions may be lower. */
  reset(): void {
    this.#made.clear();
    this.latest = 0;
    this.syncedElsewhere = 0;
  }
}
