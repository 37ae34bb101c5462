import { isIn, type Snapshot } from './postgres/snapshot.ts';
import { type Operation, query, queryOne } from './statement.ts';

/**
 * What processes on one database tell each other about routes. A row of the log belongs to the transaction that made
 * it. Who has read up to a snapshot reads next what is not in that snapshot: nothing is missed, in whatever order
 * transactions end, and nothing is read twice.
 */
export type RouteChange = { transaction: string; boxId: string; process: string };

/** Enters what the transaction changed in the log, and answers which transaction that is; null: it changed nothing. */
export function* enterChanges(boxIds: readonly string[], process: string): Operation<bigint | null> {
  let transaction: bigint | null = null;
  for (const boxId of boxIds) {
    const row = yield* queryOne<{ transaction: string }>(
      'INSERT INTO route_changes (box_id, process) VALUES ($1, $2) RETURNING transaction::text AS transaction',
      boxId,
      process,
    );
    transaction = row && BigInt(row.transaction);
  }
  return transaction;
}

/** How far the log was read. */
export type Position = {
  snapshot: Snapshot;
  /** By the clock of the database. */
  readAt: number;
  /** Differs after the server was started anew, maybe from a copy that has not seen all. */
  server: string;
};

const position = `pg_current_snapshot()::text AS snapshot, pg_postmaster_start_time()::text AS server,
  (extract(epoch FROM now()) * 1000)::bigint AS "readAt"`;

export const readPosition = `SELECT ${position}`;

/** The changes since the snapshot `$1`, and the next position, in one statement and so of one moment. */
export const readChanges = `SELECT ${position}, (
    SELECT json_agg(json_build_object('transaction', transaction::text, 'boxId', box_id, 'process', process))
    FROM route_changes
    WHERE transaction >= pg_snapshot_xmin($1::pg_snapshot)
      AND NOT pg_visible_in_snapshot(transaction, $1::pg_snapshot)
  ) AS changes`;

/** Who was away for longer brings everything in line. */
export const keptForMs = 3_600_000;

export function* forgetOldChanges(): Operation<void> {
  yield* query(`DELETE FROM route_changes WHERE made_at < now() - $1 * interval '1 millisecond'`, keptForMs);
}

const rememberedMs = 60_000;

/** The changes that this process made itself a short time ago, by transaction. */
export class OwnChanges {
  readonly #made = new Map<bigint, number>();
  readonly #unmirrored = new Set<bigint>();

  /** To be called when the transaction is known to have ended well. */
  add(transaction: bigint): void {
    const now = performance.now();
    for (const [old, madeAt] of this.#made) {
      if (now - madeAt < rememberedMs) break;
      this.#made.delete(old);
      this.#unmirrored.delete(old);
    }
    this.#made.set(transaction, now);
    this.#unmirrored.add(transaction);
  }

  has(transaction: bigint): boolean {
    return this.#made.has(transaction);
  }

  /** Those of which it is not known that every other process has mirrored them. */
  unmirrored(): bigint[] {
    return [...this.#unmirrored];
  }

  isMirrored(transaction: bigint): boolean {
    return !this.#unmirrored.has(transaction);
  }

  /** Every other process has got as far as these snapshots, as one saw who had asked for these changes. */
  setMirrored(transactions: readonly bigint[], snapshots: readonly Snapshot[]): void {
    for (const transaction of transactions) {
      if (snapshots.every((snapshot) => isIn(snapshot, transaction))) this.#unmirrored.delete(transaction);
    }
  }
}
