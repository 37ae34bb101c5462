import {
  type GatewayPorts,
  type PeerDeletion,
  RouteFilesFailed,
  StoreFailed,
  TunnelFailed,
} from '../ports.ts';
import { type BackOff, backOffMs } from '../rules/back-off.ts';
import { boxIdOfPeer } from '../rules/ids.ts';

/** Removes what registrations and removals of boxes could not: the peers that the ledger lists. */
export type Janitor = {
  /**
   * Begins. What is due within `aheadMs` counts as due now: on a store of one process nobody is at the registrations
   * that an earlier life left pending. Settles when that was read, so that registrations may begin.
   */
  start(aheadMs: number): Promise<void>;
  /** Ends what is under way and begins nothing more. */
  stop(): Promise<void>;
};

/** How long nothing is looked for when nothing is due. */
const idleMs = 2_000;
/** A create whose answer was lost may be carried out yet: a peer that is not there is looked for once more. */
const secondLookMs = 60_000;
const backOff: BackOff = { firstMs: 1_000, mostMs: 60_000 };
const entriesAtOnce = 1_000;

/**
 * Repeats what the ledger holds, one after the other, until the tunnel manager has none of it. A failure ends the
 * round. The entry is due again later each time, which the ledger keeps over restarts; and so is the next round,
 * because what the manager refuses for one peer it refuses for all. The operator gets one line when it begins to
 * fail and one when it works again.
 * choice/gateway/43, choice/gateway/44, choice/gateway/69
 */
export function makeJanitor(
  ports: Pick<GatewayPorts, 'store' | 'tunnelManager' | 'routeFiles' | 'now' | 'pause' | 'warn'>,
): Janitor {
  const { store, tunnelManager, routeFiles, now, pause } = ports;
  const isGone = makeSecondLooks(now);
  const trouble = makeTrouble(ports.warn);
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let running: Promise<void> = Promise.resolve();

  const lookFor = (aheadMs: number, atMost = entriesAtOnce) => store.duePeers(now() + aheadMs, atMost);

  async function run(first: readonly PeerDeletion[]): Promise<void> {
    let entries: readonly PeerDeletion[] | null = first;
    while (!isStopping) {
      const waitMs = await round(entries).catch((error: unknown) => trouble.begins(error));
      entries = null;
      await Promise.race([pause(waitMs), stopped.promise]);
    }
  }

  /** Goes over what is due; answers how long to wait for the next round. */
  async function round(known: readonly PeerDeletion[] | null): Promise<number> {
    for (const entry of known ?? (await lookFor(0))) {
      if (isStopping) return 0;
      await removePeers(entry);
      trouble.ends();
    }
    const [next] = await lookFor(idleMs, 1);
    return next === undefined ? idleMs : Math.min(idleMs, Math.max(0, next.dueAt - now()));
  }

  /**
   * The entry is put off before the manager is asked: from then on its box can go live no more. A box that did before
   * keeps its peer, whatever another gateway's clock or a jump of ours says of when it was due. A route file that could
   * not be taken away goes first, because it leads to whoever gets the peer's address next. choice/gateway/116
   */
  async function removePeers({ peerName, attempts }: PeerDeletion): Promise<void> {
    const hasToGo = await store.postponePeer(peerName, now() + backOffMs(attempts + 1, backOff));
    if (!hasToGo) return;
    await routeFiles.put(boxIdOfPeer(peerName), null);
    const count = await tunnelManager.removePeers(peerName);
    if (isGone(peerName, count)) await store.settlePeer(peerName);
    else await store.postponePeer(peerName, now() + secondLookMs);
  }

  return {
    async start(aheadMs) {
      running = run(await lookFor(aheadMs));
    },
    async stop() {
      isStopping = true;
      stopped.resolve();
      await running;
    },
  };
}

/** Whether a peer is gone for good: when it was removed, or not there at two looks that are far enough apart. */
function makeSecondLooks(now: () => number): (peerName: string, removed: number) => boolean {
  const firstLooks = new Map<string, number>();
  return (peerName, removed) => {
    for (const [name, at] of firstLooks) if (now() - at > 10 * secondLookMs) firstLooks.delete(name);
    const firstLook = Math.min(firstLooks.get(peerName) ?? now(), now()); // The clock may have gone back.
    const isForGood = removed > 0 || now() - firstLook >= secondLookMs;
    if (isForGood) firstLooks.delete(peerName);
    else firstLooks.set(peerName, firstLook);
    return isForGood;
  };
}

/** Tells the operator when it begins and when it is over, and how long to leave things alone meanwhile. */
function makeTrouble(warn: (text: string) => void) {
  let failures = 0;
  return {
    begins(error: unknown): number {
      failures += 1;
      if (failures === 1) warn(`peers of boxes that are gone cannot be removed yet: ${reasonOf(error)}`);
      return backOffMs(failures, backOff);
    },
    ends(): void {
      if (failures > 0) warn('peers of boxes that are gone are removed again');
      failures = 0;
    },
  };
}

/** What nobody expects is told whole. */
function reasonOf(error: unknown): string {
  if (error instanceof TunnelFailed) return `tunnel manager: ${error.message}`;
  const isKnown = error instanceof RouteFilesFailed || error instanceof StoreFailed;
  return isKnown ? error.message : String((error as Error).stack);
}
