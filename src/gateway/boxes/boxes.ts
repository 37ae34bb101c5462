import { ignore } from '../../lib/ignore.ts';
import type { Gateway } from '../gateway.ts';
import { type Box, type PeerOfBox, RouteFilesFailed, type StoreView } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { hashOf, newBoxToken } from '../tokens.ts';
import type { Caller, HeardCaller } from './authenticate.ts';

/** If a removal could not delete the peer, the janitor deletes it after this time. */
const ownTryMs = 30_000;
/** How long the token of a box that the operator removed is known. */
export const rememberedMs = 30 * 24 * 60 * 60_000;
/** When the janitor retries a peer deletion that failed here. */
const retryMs = 2000;

/** gateway/states/4, choice/gateway/65 */
export function heartbeatBox({ heartbeats }: Gateway, { box, from }: HeardCaller): void {
  heartbeats.touch(box.id, from);
}

/**
 * Replaces the token of the request. The statement names the old hash, so only one of two simultaneous rotations
 * succeeds.
 * gateway/states/3, gateway/auth/13, should/gateway/62, should/gateway/63
 */
export async function rotateBoxToken({ store }: Gateway, caller: Caller): Promise<string> {
  const token = newBoxToken();
  const isReplaced = await store.replaceToken(caller.box.id, caller.tokenHash, hashOf(token));
  if (!isReplaced) refuse('invalidBoxToken');
  return token;
}

/**
 * Removes a box: first its route file, then the box with its routes, then its peer. The tunnel manager gives a freed
 * address to the next peer, so no route may lead to it any more: as long as a route file cannot be removed, the peer stays
 * and keeps the address. If the box is removed, the answer is success, even if disk or tunnel manager fail.
 * gateway/states/5-6, should/gateway/69-70, choice/gateway/88
 */
export async function deregisterBox(gateway: Gateway, box: Box): Promise<void> {
  if (!(await endBox(gateway, box))) refuse('invalidBoxToken');
}

/** Does what a deregistration does, for the operator. @returns whether the box existed. choice/gateway/107 */
export function removeByOperator(gateway: Gateway, box: Pick<Box, 'id'>): Promise<boolean> {
  return endBox(gateway, box, gateway.now() + rememberedMs);
}

async function endBox(gateway: Gateway, box: Pick<Box, 'id'>, rememberUntil?: number): Promise<boolean> {
  const { store, routeFileSync, now, warn } = gateway;
  let peer: PeerOfBox | null = null;
  try {
    await routeFileSync.withdraw(box.id).catch(ignore(RouteFilesFailed, ({ message }) => warn(message)));
    peer = await store.removeBox(box.id, now() + ownTryMs, rememberUntil);
  } finally {
    // The box still exists, so its file is written again. The route file sync retries if that fails.
    if (peer === null) await routeFileSync.restore(box.id).catch(() => undefined);
  }
  if (peer === null) return false;
  await removePeer(gateway, box, peer);
  return true;
}

/** The answer to the operator about an id that no box has. Names are not unique, so a removal takes ids only. */
export async function noBox({ listBoxes }: Pick<StoreView, 'listBoxes'>, id: string): Promise<string> {
  const named = (await listBoxes()).filter(({ name }) => name === id).map((box) => box.id);
  const ids = named.length === 0 ? '' : `; boxes of that name: ${named.join(', ')}`;
  return `there is no box ${JSON.stringify(id)}${ids}`;
}

async function removePeer(gateway: Gateway, box: Pick<Box, 'id'>, peer: PeerOfBox): Promise<void> {
  const { store, tunnelManager, routeFileSync, now, warn } = gateway;
  const { peerName } = peer;
  try {
    await routeFileSync.restore(box.id);
    await store.syncedElsewhere();
    await tunnelManager.removePeers(peer);
    await store.settlePeer(peerName);
  } catch (error) {
    // The deletion stays pending, and the janitor carries it out.
    warn(`${peerName} is left to be removed later: ${(error as Error).message}`);
    await store.postponePeer(peerName, now() + retryMs).catch(() => undefined);
  }
}
