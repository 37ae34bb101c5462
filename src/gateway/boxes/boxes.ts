import { type Box, type GatewayPorts, RouteFilesFailed } from '../ports.ts';
import { refuse } from '../refusals.ts';
import type { RouteFileSync } from '../routes/route-file-sync.ts';
import { peerNameOf } from '../rules/ids.ts';
import type { Caller } from './authenticate.ts';
import type { Heartbeats } from './heartbeats.ts';

export type BoxGateway = Pick<GatewayPorts, 'store' | 'tunnelManager' | 'tokens' | 'now' | 'warn'> & {
  heartbeats: Heartbeats;
  routeFileSync: RouteFileSync;
};

/** How long the janitor leaves the peer of a removed box to whoever removes the box. */
const ownTryMs = 30_000;
/** When the janitor tries what could not be removed here. */
const retryMs = 5000;

/** Notes that the box was seen. gateway/states/4, choice/gateway/65 */
export function heartbeatBox({ heartbeats }: BoxGateway, box: Box): void {
  heartbeats.touch(box.id);
}

/**
 * Replaces the token that the request came with. The statement names its hash, so of two rotations at once one wins
 * and the other finds its token replaced.
 * gateway/states/3, gateway/auth/13, choice/gateway/62, choice/gateway/63
 */
export async function rotateBoxToken({ store, tokens }: BoxGateway, caller: Caller): Promise<string> {
  const token = tokens.newBoxToken();
  const isReplaced = await store.replaceToken(caller.box.id, caller.tokenHash, tokens.hash(token));
  if (!isReplaced) refuse('invalidBoxToken');
  return token;
}

/**
 * Removes a box: its route file first, then the box with its routes and a note of its peer, then the peer. A freed
 * tunnel address goes to the next peer at once, and nothing may still lead to it: while a file cannot be taken away the
 * peer stays, and keeps the address. Once the box is gone the answer is success, whatever disk and tunnel manager say.
 * gateway/states/5-6, choice/gateway/68-70, choice/gateway/116
 */
export async function deregisterBox(gateway: BoxGateway, box: Box): Promise<void> {
  const { store, routeFileSync, now, warn } = gateway;
  let isRemoved = false;
  try {
    await routeFileSync.withdraw(box.id).catch((error: unknown) => {
      if (!(error instanceof RouteFilesFailed)) throw error;
      warn(error.message);
    });
    isRemoved = await store.removeBox(box.id, now() + ownTryMs);
  } finally {
    // Where the box is still there its file has to come back; that this failed, too, is the mirror's to mend.
    if (!isRemoved) await routeFileSync.restore(box.id).catch(() => undefined);
  }
  if (!isRemoved) refuse('invalidBoxToken');
  await removePeer(gateway, box);
}

async function removePeer(gateway: BoxGateway, box: Box): Promise<void> {
  const { store, tunnelManager, routeFileSync, now, warn } = gateway;
  const peerName = peerNameOf(box.id);
  try {
    await routeFileSync.restore(box.id);
    await store.syncedElsewhere();
    await tunnelManager.removePeers(peerName);
    await store.settlePeer(peerName);
  } catch (error) {
    // The note of the peer stays in the ledger, and the janitor goes on with it: at the latest when it is due anyway.
    warn(`${peerName} is left to be removed later: ${(error as Error).message}`);
    await store.postponePeer(peerName, now() + retryMs).catch(() => undefined);
  }
}
