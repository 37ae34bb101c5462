import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from '../support/gateway.ts';

/**
 * Asserts what holds at any moment, also right after a kill: every peer has a box or a pending deletion, every pending
 * box has a pending deletion, and every active box has one peer, at its address, and no pending deletion.
 * @param listPeers - all peers of the tunnel manager
 */
export function checkPeersOfBoxes(gateway: Gateway, listPeers: () => { name: unknown; address: string }[]): void {
  // The store is read before the peers: a pending deletion is removed only after its peer.
  const { boxes, waiting } = readStore(join(gateway.state, 'gateway.db'));
  const peers = listPeers().map(({ name, address }) => ({ name: String(name), address }));
  const names = new Set([...boxes.map(({ peer }) => peer), ...waiting]);
  assert.deepEqual(
    peers.filter(({ name }) => !names.has(name)),
    [],
    'peers that nobody knows',
  );
  for (const { peer, state, address } of boxes) {
    assert.equal(waiting.has(peer), state === 'pending', `${peer} is ${state} and waits for its deletion`);
    if (state === 'pending') continue;
    const own = peers.filter(({ name }) => name === peer);
    assert.deepEqual(own, [{ name: peer, address }], 'the peer of a live box');
  }
}

function readStore(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // One transaction for both tables, since the gateway may be changing them.
    database.exec('BEGIN');
    const boxes = database.prepare('SELECT peer_name AS peer, state, address FROM boxes').all();
    const waiting = database.prepare('SELECT peer_name AS peer FROM ledger').all();
    return {
      boxes: boxes as { peer: string; state: 'pending' | 'active'; address: string | null }[],
      waiting: new Set(waiting.map(({ peer }) => String(peer))),
    };
  } finally {
    database.close();
  }
}
