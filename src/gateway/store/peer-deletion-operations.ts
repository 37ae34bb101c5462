import type { PeerDeletion, PeerOfBox } from '../ports.ts';
import type { Dialect } from './schema.ts';
import { happens, type Operation, query, queryOne, sql } from './statement.ts';

/** Sets a new due time if there is a deletion already, as for a pending box. */
export function* addPeerDeletion({ peerName, peerKey }: PeerOfBox, dueAt: number): Operation<void> {
  yield* query(
    sql`INSERT INTO ledger (peer_name, peer_key, due_at, attempts) VALUES (${peerName}, ${peerKey}, ${dueAt}, 0)
      ON CONFLICT (peer_name) DO UPDATE SET due_at = excluded.due_at`,
  );
}

/** The longest delay of a deletion. A later due time was written with a wrong clock. */
const farthestMs = 3_600_000;

export function* duePeers(now: number, atMost: number): Operation<PeerDeletion[]> {
  const rows = yield* query<PeerDeletion>(
    sql`SELECT peer_name AS "peerName", peer_key AS "peerKey", due_at AS "dueAt", attempts FROM ledger
      WHERE due_at <= ${now} OR due_at > ${now + farthestMs} ORDER BY due_at, peer_name LIMIT ${atMost}`,
  );
  return rows.map((row) => ({ ...row }));
}

/** Keeps the deletion and removes the pending box. False if there is no deletion. */
export function* postponePeer(peerName: string, dueAt: number): Operation<boolean> {
  yield* removePending(peerName);
  return yield* happens(
    sql`UPDATE ledger SET due_at = ${dueAt}, attempts = attempts + 1 WHERE peer_name = ${peerName} RETURNING peer_name`,
  );
}

export function* settlePeer(peerName: string): Operation<void> {
  yield* removePending(peerName);
  yield* query(sql`DELETE FROM ledger WHERE peer_name = ${peerName}`);
}

function* removePending(peerName: string): Operation<void> {
  yield* query(sql`DELETE FROM boxes WHERE peer_name = ${peerName} AND state = 'pending'`);
}

export function* readSession(): Operation<Uint8Array | null> {
  const row = yield* queryOne<{ session: Uint8Array | null }>(sql`SELECT session FROM store`);
  return row?.session ?? null;
}

export function* writeSession(sealed: Uint8Array | null): Operation<void> {
  yield* query(sql`UPDATE store SET session = ${sealed}, login_begun_at = NULL`);
}

export function* noteLogin({ now }: Dialect, what: 'begins' | 'has ended'): Operation<void> {
  yield* query(sql`UPDATE store SET login_begun_at = ${what === 'begins' ? now : null}`);
}

export function* openLoginMs({ now }: Dialect): Operation<number | null> {
  const row = yield* queryOne<{ ms: number | null }>(sql`SELECT ${now} - login_begun_at AS ms FROM store`);
  return row?.ms ?? null;
}
