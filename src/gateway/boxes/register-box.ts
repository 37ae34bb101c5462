import type { Gateway } from '../gateway.ts';
import { type Box, type NewBox, type Peer, TunnelFailed } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { peerNameOf } from '../rules/ids.ts';
import { areEqual, hashOf, newBoxToken, newId } from '../tokens.ts';

export type Origin = {
  /** The peer address of the connection. */
  address: string;
  /** The client's address, also behind a proxy on this machine; only for the journal. */
  client: string;
};

export type Registration = { token: string; name: string; from: Origin };

export type Registered = { box: Box; name: string; token: string; tunnel: { address: string; config: string } };

/** Longer than any registration. The janitor does not touch the peer of a younger one. */
export const pendingMs = 60_000;
/** Delay until the janitor retries the clean-up of a failed registration. */
const retryMs = 2000;

/**
 * Registers a box. First inserts a pending box with a pending deletion of its peer, then makes the peer, then activates
 * the box and deletes the pending deletion in one transaction. So the janitor can clean up after a kill at any moment. A
 * failure rolls everything back.
 * gateway/registerBox/4-8, gateway/states/1-2, choice/gateway/15, should/gateway/42-44, should/gateway/117
 */
export async function registerBox(gateway: Gateway, registration: Registration): Promise<Registered> {
  const { store, now, mode, boxLimit } = gateway;
  if (mode !== 'single') refuse('modeNotImplemented');
  await checkToken(gateway, registration);
  const box = newBox(gateway, registration.name);
  const inserted = await store.insertPendingBox(box, boxLimit, now() + pendingMs);
  if (inserted === 'limitReached') refuse('boxLimitExceeded');
  const token = newBoxToken();
  const { address, config } = await activate(gateway, box, hashOf(token));
  return { box: { id: box.id, accountId: store.accountId }, name: box.name, token, tunnel: { address, config } };
}

/** gateway/auth/9-12, choice/gateway/36 */
async function checkToken(gateway: Gateway, { token, from }: Registration): Promise<void> {
  const { boxToken, guard, refusedTokens, now, pause } = gateway;
  if (boxToken !== null && boxToken !== '' && areEqual(boxToken, token)) return;
  refusedTokens.count(from.client);
  const delayMs = guard.failed(from.address, now());
  if (delayMs > 0) await pause(delayMs);
  refuse('invalidRegistrationToken');
}

/** Databases reject lone surrogates, so `toWellFormed` replaces them. choice/gateway/73 */
function newBox({ now }: Gateway, name: string): NewBox {
  const id = newId('box');
  return { id, name: name.toWellFormed(), peerName: peerNameOf(id), createdAt: now() };
}

async function activate(gateway: Gateway, box: NewBox, tokenHash: Uint8Array): Promise<Peer & { config: string }> {
  const { store, tunnelManager } = gateway;
  let made: Peer | null = null;
  try {
    const peer = await tunnelManager.createPeer(box.peerName);
    made = peer;
    const live = { tokenHash, peerId: peer.id, peerKey: peer.publicKey, address: peer.address };
    const { isLive, displaced } = await store.activateBox(box.id, live);
    if (!isLive) throw new TunnelFailed('making the peer took so long that the registration was given up');
    if (displaced.length > 0) await withdrawRoutes(gateway, displaced, box.id);
    return peer;
  } catch (error) {
    const peerMayRemain = !(error instanceof TunnelFailed) || error.peerMayRemain;
    await rollBackBox(gateway, box, { made, peerMayRemain });
    throw error;
  }
}

/** The hosts of the boxes that had the address before must not lead to the new box. should/gateway/117 */
async function withdrawRoutes(
  { store, routeFileSync, warn }: Gateway,
  displaced: readonly string[],
  newBoxId: string,
): Promise<void> {
  for (const id of displaced) {
    warn(
      `${id} has lost its address at the tunnel manager to ${newBoxId}: its routes are withdrawn; ` +
        `remove it with \`boxgate gateway boxes remove ${id}\` and let it join again`,
    );
    await routeFileSync.update(id);
  }
  await store.syncedElsewhere();
}

/**
 * Removes the box and its peer. The box goes first, so that it does not count towards the limit while the manager is
 * down. The pending deletion stays until the peer is gone or cannot come any more.
 */
async function rollBackBox(
  { store, tunnelManager, now, warn }: Gateway,
  { id, peerName }: NewBox,
  { made, peerMayRemain }: { made: Peer | null; peerMayRemain: boolean },
): Promise<void> {
  try {
    await store.removeBox(id, now() + retryMs);
    if (made !== null) await tunnelManager.removePeers({ peerName, peerKey: made.publicKey });
    if (made !== null || !peerMayRemain) await store.settlePeer(peerName);
  } catch (error) {
    // The caller reports the first failure. The janitor carries out the pending deletion.
    warn(`${peerName} is left to be removed later: ${(error as Error).message}`);
  }
}
