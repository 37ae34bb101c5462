import type { Activation, Box, BoxRecord, LiveBox, NewBox, PeerOfBox, RemovedByOperator } from '../ports.ts';
import { addPeerDeletion } from './peer-deletion-operations.ts';
import { happens, lockOne, type Operation, query, queryOne } from './statement.ts';

/** Counts and inserts under a lock on the account, so that simultaneous registrations cannot exceed the limit. */
export function* insertPendingBox(
  accountId: string,
  box: NewBox,
  limit: number,
  dueAt: number,
): Operation<'inserted' | 'limitReached'> {
  yield* lockOne('SELECT id FROM accounts WHERE id = $1', accountId);
  // Counts only up to the limit, so that the cost does not grow with the number of boxes.
  const counted = yield* queryOne<{ boxes: number }>(
    'SELECT COUNT(*) AS boxes FROM (SELECT 1 FROM boxes WHERE account_id = $1 LIMIT $2) AS counted',
    accountId,
    limit,
  );
  if (counted === null || counted.boxes >= limit) return 'limitReached';
  yield* query(
    `INSERT INTO boxes (id, account_id, name, peer_name, state, created_at)
      VALUES ($1, $2, $3, $4, 'pending', $5)`,
    box.id,
    accountId,
    box.name,
    box.peerName,
    box.createdAt,
  );
  yield* addPeerDeletion({ peerName: box.peerName, peerKey: null }, dueAt);
  return 'inserted';
}

/** Takes the address from other boxes: the manager has assigned it again, so their peers no longer exist. */
export function* activateBox(id: string, live: LiveBox): Operation<Activation> {
  yield* lockOne('SELECT id FROM store'); // Two activations with one address run one after the other.
  const box = yield* queryOne<{ peerName: string }>(
    `UPDATE boxes SET state = 'active', token_hash = $2, peer_id = $3, peer_key = $4
      WHERE id = $1 AND state = 'pending' RETURNING peer_name AS "peerName"`,
    id,
    live.tokenHash,
    live.peerId,
    live.peerKey,
  );
  if (box === null) return { isLive: false, displaced: [] };
  yield* query('DELETE FROM ledger WHERE peer_name = $1', box.peerName);
  const displaced = yield* query<{ id: string }>(
    'UPDATE boxes SET address = NULL WHERE address = $1 RETURNING id',
    live.address,
  );
  yield* query('UPDATE boxes SET address = $2 WHERE id = $1', id, live.address);
  return { isLive: true, displaced: displaced.map((one) => one.id) };
}

export type KnownToken = { tokenHash: Uint8Array; box: Box };

export function* boxOfToken(tokenHash: Uint8Array): Operation<KnownToken | null> {
  const row = yield* queryOne<{ tokenHash: Uint8Array; id: string; accountId: string }>(
    `SELECT token_hash AS "tokenHash", id, account_id AS "accountId" FROM boxes
      WHERE token_hash = $1 AND state = 'active'`,
    tokenHash,
  );
  return row && { tokenHash: row.tokenHash, box: { id: row.id, accountId: row.accountId } };
}

export function* replaceToken(boxId: string, oldHash: Uint8Array, newHash: Uint8Array): Operation<boolean> {
  return yield* happens(
    'UPDATE boxes SET token_hash = $3 WHERE id = $1 AND token_hash = $2 RETURNING id',
    boxId,
    oldHash,
    newHash,
  );
}

export type RemovedBox = { peer: PeerOfBox; tokenHash: Uint8Array | null };

/**
 * @param rememberUntil - when the token is forgotten; without it, at once
 * @returns the box's peer, and its token hash, which a pending box does not have; `null` if there is no such box
 */
export function* removeBox(id: string, dueAt: number, rememberUntil?: number): Operation<RemovedBox | null> {
  yield* lockOne('SELECT id FROM boxes WHERE id = $1', id);
  yield* query('DELETE FROM routes WHERE box_id = $1', id);
  const box = yield* queryOne<PeerOfBox & { name: string; tokenHash: Uint8Array | null }>(
    `DELETE FROM boxes WHERE id = $1
      RETURNING name, peer_name AS "peerName", peer_key AS "peerKey", token_hash AS "tokenHash"`,
    id,
  );
  if (box === null) return null;
  const { name, peerName, peerKey, tokenHash } = box;
  if (tokenHash !== null && rememberUntil !== undefined) {
    yield* query('DELETE FROM removed_boxes WHERE forget_at < $1', dueAt);
    const row = 'INSERT INTO removed_boxes (token_hash, id, name, forget_at) VALUES ($1, $2, $3, $4)';
    yield* query(row, tokenHash, id, name, rememberUntil);
  }
  yield* addPeerDeletion({ peerName, peerKey }, dueAt);
  return { peer: { peerName, peerKey }, tokenHash };
}

export function* noteRemovedToken(tokenHash: Uint8Array, at: number): Operation<void> {
  yield* query('UPDATE removed_boxes SET heard_at = $2 WHERE token_hash = $1', tokenHash, at);
}

export function* heardRemovedBoxes(): Operation<RemovedByOperator[]> {
  const rows = yield* query<RemovedByOperator>(
    'SELECT id, name, heard_at AS "heardAt" FROM removed_boxes WHERE heard_at IS NOT NULL ORDER BY id',
  );
  return rows.map((row) => ({ ...row }));
}

/**
 * Never replaces a time by an older one, because several processes may have seen the same box. A stored time that is more than
 * an hour ahead was written with a wrong clock, and is replaced.
 */
export function* touchBoxes(seen: ReadonlyMap<string, number>): Operation<void> {
  // Prevents deadlocks of processes that update the same boxes in different orders.
  yield* lockOne('SELECT id FROM store');
  yield* query(
    `UPDATE boxes SET last_seen_at = CAST(CAST(seen.value AS TEXT) AS BIGINT) FROM json_each($1) AS seen
      WHERE boxes.id = seen.key
        AND (last_seen_at IS NULL OR last_seen_at < CAST(CAST(seen.value AS TEXT) AS BIGINT)
          OR last_seen_at > CAST(CAST(seen.value AS TEXT) AS BIGINT) + 3600000)`,
    JSON.stringify(Object.fromEntries(seen)),
  );
}

export function* noteCopy(id: string, { from, at }: { from: string; at: number }): Operation<void> {
  yield* query('UPDATE boxes SET copied_from = $2, copied_at = $3 WHERE id = $1', id, from, at);
}

export function* listBoxes(): Operation<BoxRecord[]> {
  const rows = yield* query<BoxRecord>(
    `SELECT id, account_id AS "accountId", name, peer_name AS "peerName", state, peer_id AS "peerId",
        peer_key AS "peerKey", address, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
        copied_at AS "copiedAt", copied_from AS "copiedFrom", COALESCE(counted.routes, 0) AS routes
      FROM boxes LEFT JOIN (SELECT box_id, COUNT(*) AS routes FROM routes GROUP BY box_id) AS counted
        ON counted.box_id = boxes.id
      ORDER BY created_at, id`,
  );
  return rows.map((row) => ({ ...row }));
}
