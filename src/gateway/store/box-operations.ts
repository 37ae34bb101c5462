import type { Activation, Box, BoxRecord, LiveBox, NewBox, PeerOfBox, RemovedByOperator } from '../ports.ts';
import { addPeerDeletion } from './peer-deletion-operations.ts';
import { happens, lockOne, type Operation, query, queryOne, sql } from './statement.ts';

/** Counts and inserts under a lock on the account, so that simultaneous registrations cannot exceed the limit. */
export function* insertPendingBox(
  accountId: string,
  box: NewBox,
  limit: number,
  dueAt: number,
): Operation<'inserted' | 'limitReached'> {
  yield* lockOne(sql`SELECT id FROM accounts WHERE id = ${accountId}`);
  // Counts only up to the limit, so that the cost does not grow with the number of boxes.
  const counted = yield* queryOne<{ boxes: number }>(
    sql`SELECT COUNT(*) AS boxes FROM (SELECT 1 FROM boxes WHERE account_id = ${accountId} LIMIT ${limit}) AS counted`,
  );
  if (counted === null || counted.boxes >= limit) return 'limitReached';
  yield* query(
    sql`INSERT INTO boxes (id, account_id, name, peer_name, state, created_at)
      VALUES (${box.id}, ${accountId}, ${box.name}, ${box.peerName}, 'pending', ${box.createdAt})`,
  );
  yield* addPeerDeletion({ peerName: box.peerName, peerKey: null }, dueAt);
  return 'inserted';
}

/** Takes the address from other boxes: the manager has assigned it again, so their peers no longer exist. */
export function* activateBox(id: string, live: LiveBox): Operation<Activation> {
  yield* lockOne(sql`SELECT id FROM store`); // Two activations with one address run one after the other.
  const box = yield* queryOne<{ peerName: string }>(
    sql`UPDATE boxes SET state = 'active', token_hash = ${live.tokenHash}, peer_id = ${live.peerId},
        peer_key = ${live.peerKey}
      WHERE id = ${id} AND state = 'pending' RETURNING peer_name AS "peerName"`,
  );
  if (box === null) return { isLive: false, displaced: [] };
  yield* query(sql`DELETE FROM ledger WHERE peer_name = ${box.peerName}`);
  const displaced = yield* query<{ id: string }>(
    sql`UPDATE boxes SET address = NULL WHERE address = ${live.address} RETURNING id`,
  );
  yield* query(sql`UPDATE boxes SET address = ${live.address} WHERE id = ${id}`);
  return { isLive: true, displaced: displaced.map((one) => one.id) };
}

export type KnownToken = { tokenHash: Uint8Array; box: Box };

export function* boxOfToken(tokenHash: Uint8Array): Operation<KnownToken | null> {
  const row = yield* queryOne<{ tokenHash: Uint8Array; id: string; accountId: string }>(
    sql`SELECT token_hash AS "tokenHash", id, account_id AS "accountId" FROM boxes
      WHERE token_hash = ${tokenHash} AND state = 'active'`,
  );
  return row && { tokenHash: row.tokenHash, box: { id: row.id, accountId: row.accountId } };
}

export function* replaceToken(boxId: string, oldHash: Uint8Array, newHash: Uint8Array): Operation<boolean> {
  return yield* happens(
    sql`UPDATE boxes SET token_hash = ${newHash} WHERE id = ${boxId} AND token_hash = ${oldHash} RETURNING id`,
  );
}

export type RemovedBox = { peer: PeerOfBox; tokenHash: Uint8Array | null };

/** @returns also the hash of the token, which a pending box does not have */
export function* removeBox(id: string, dueAt: number, rememberUntil?: number): Operation<RemovedBox | null> {
  yield* lockOne(sql`SELECT id FROM boxes WHERE id = ${id}`);
  yield* query(sql`DELETE FROM routes WHERE box_id = ${id}`);
  const box = yield* queryOne<PeerOfBox & { name: string; tokenHash: Uint8Array | null }>(
    sql`DELETE FROM boxes WHERE id = ${id}
      RETURNING name, peer_name AS "peerName", peer_key AS "peerKey", token_hash AS "tokenHash"`,
  );
  if (box === null) return null;
  const { name, peerName, peerKey, tokenHash } = box;
  if (tokenHash !== null && rememberUntil !== undefined) {
    yield* query(sql`DELETE FROM removed_boxes WHERE forget_at < ${dueAt}`);
    yield* query(
      sql`INSERT INTO removed_boxes (token_hash, id, name, forget_at)
        VALUES (${tokenHash}, ${id}, ${name}, ${rememberUntil})`,
    );
  }
  yield* addPeerDeletion({ peerName, peerKey }, dueAt);
  return { peer: { peerName, peerKey }, tokenHash };
}

export function* noteRemovedToken(tokenHash: Uint8Array, at: number): Operation<void> {
  yield* query(sql`UPDATE removed_boxes SET heard_at = ${at} WHERE token_hash = ${tokenHash}`);
}

export function* heardRemovedBoxes(): Operation<RemovedByOperator[]> {
  const rows = yield* query<RemovedByOperator>(
    sql`SELECT id, name, heard_at AS "heardAt" FROM removed_boxes WHERE heard_at IS NOT NULL ORDER BY id`,
  );
  return rows.map((row) => ({ ...row }));
}

/** Keeps the later time, because processes see the same box. A time an hour ahead is of a wrong clock. */
export function* touchBoxes(seen: ReadonlyMap<string, number>): Operation<void> {
  // Prevents deadlocks of processes that update the same boxes in different orders.
  yield* lockOne(sql`SELECT id FROM store`);
  yield* query(
    sql`UPDATE boxes SET last_seen_at = CAST(CAST(seen.value AS TEXT) AS BIGINT)
      FROM json_each(${JSON.stringify(Object.fromEntries(seen))}) AS seen
      WHERE boxes.id = seen.key
        AND (last_seen_at IS NULL OR last_seen_at < CAST(CAST(seen.value AS TEXT) AS BIGINT)
          OR last_seen_at > CAST(CAST(seen.value AS TEXT) AS BIGINT) + 3600000)`,
  );
}

export function* noteCopy(id: string, { from, at }: { from: string; at: number }): Operation<void> {
  yield* query(sql`UPDATE boxes SET copied_from = ${from}, copied_at = ${at} WHERE id = ${id}`);
}

export function* listBoxes(): Operation<BoxRecord[]> {
  const rows = yield* query<BoxRecord>(
    sql`SELECT id, account_id AS "accountId", name, peer_name AS "peerName", state, peer_id AS "peerId",
        peer_key AS "peerKey", address, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
        copied_at AS "copiedAt", copied_from AS "copiedFrom", COALESCE(counted.routes, 0) AS routes
      FROM boxes LEFT JOIN (SELECT box_id, COUNT(*) AS routes FROM routes GROUP BY box_id) AS counted
        ON counted.box_id = boxes.id
      ORDER BY created_at, id`,
  );
  return rows.map((row) => ({ ...row }));
}
