import type { PeerDeletion, PeerOfBox } from '../ports.ts';
import type { Dialect } from './schema.ts';
import { happens, type Operation, query, queryOne } from './statement.ts';

/** Sets a new due time if there is a deletion already, as for a pending box. */
export function* addPeerDeletion({ peerName, peerKey }: PeerOfBox, dueAt: number): Operation<void> {
  yield* query(
    `INSERT INTO ledger (peer_name, peer_key, due_at, attempts) VALUES ($1, $2, $3, 0)
      ON CONFLICT (peer_name) DO UPDATE SET due_at = excluded.due_at`,
    peerName,
    peerKey,
    dueAt,
  );
}

/** The longest delay of a deletion. A later due time was written with a wrong clock. */
const farthestMs = 3_600_000;

export function* duePeers(now: number, atMost: number): Operation<PeerDeletion[]> {
  const rows = yield* query<PeerDeletion>(
    `SELECT peer_name AS "peerName", peer_key AS "peerKey", due_at AS "dueAt", attempts FROM ledger
      WHERE due_at <= $1 OR due_at > $2 ORDER BY due_at, peer_name LIMIT $3`,
    now,
    now + farthestMs,
    atMost,
  );
  return rows.map((row) => ({ ...row }));
}

/** Keeps the deletion and removes the pending box. False if there is no deletion. */
export function* postponePeer(peerName: string, dueAt: number): Operation<boolean> {
  yield* removePending(peerName);
  return yield* happens(
    'UPDATE ledger SET due_at = $2, attempts = attempts + 1 WHERE peer_name = $1 RETURNING peer_name',
    peerName,
    dueAt,
  );
}

export function* settlePeer(peerName: string): Operation<void> {
  yield* removePending(peerName);
  yield* query('DELETE FROM ledger WHERE peer_name = $1', peerName);
}

function* removePending(peerName: string): Operation<void> {
  yield* query(`DELETE FROM boxes WHERE peer_name = $1 AND state = 'pending'`, peerName);
}

export function* readSession(): Operation<Uint8Array | null> {
  const row = yield* queryOne<{ session: Uint8Array | null }>('SELECT session FROM store');
  return row?.session ?? null;
}

export function* writeSession(sealed: Uint8Array | null): Operation<void> {
  yield* query('UPDATE store SET session = $1, login_begun_at = NULL', sealed);
}

export function* noteLogin({ now }: Dialect, what: 'begins' | 'has ended'): Operation<void> {
  yield* query(`UPDATE store SET login_begun_at = ${what === 'begins' ? now : 'NULL'}`);
}

export function* openLoginMs({ now }: Dialect): Operation<number | null> {
  const row = yield* queryOne<{ ms: number | null }>(`SELECT ${now} - login_begun_at AS ms FROM store`);
  return row?.ms ?? null;
}
