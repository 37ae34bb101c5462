import { type GatewayPorts, type PeerDeletion, RouteFilesFailed, StoreFailed, TunnelFailed } from '../ports.ts';
import { type BackOff, backOffMs } from '../rules/back-off.ts';
import { boxIdOfPeer } from '../rules/ids.ts';

/** The wait if no deletion is due. */
const idleMs = 2_000;
/**
 * A create whose response was lost may still be carried out, so the janitor looks for an absent peer a second time.
 */
const secondAttemptMs = 60_000;
const backOff: BackOff = { firstMs: 1_000, mostMs: 60_000 };
const entriesAtOnce = 1_000;

/**
 * Carries out pending peer deletions, one at a time. A failure ends the round and delays the next one, because the
 * manager would refuse the other deletions as well. Each failed attempt doubles the delay of its deletion; the store keeps
 * it over restarts. The operator gets one line at the first failure and one at the next success.
 * should/gateway/43, should/gateway/44, should/gateway/69
 */
export function makeJanitor(
  ports: Pick<GatewayPorts, 'store' | 'tunnelManager' | 'routeFiles' | 'now' | 'pause' | 'warn'>,
) {
  const { store, tunnelManager, routeFiles, now, pause } = ports;
  const isGone = makeSecondAttempts(now);
  const trouble = makeTrouble(ports.warn);
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let running: Promise<void> = Promise.resolve();

  const dueWithin = (aheadMs: number, atMost = entriesAtOnce) => store.duePeers(now() + aheadMs, atMost);

  async function run(first: readonly PeerDeletion[]): Promise<void> {
    let entries: readonly PeerDeletion[] | null = first;
    while (!isStopping) {
      const waitMs = await round(entries).catch((error: unknown) => trouble.begins(error));
      entries = null;
      await Promise.race([pause(waitMs), stopped.promise]);
    }
  }

  /** Carries out the due deletions. @returns milliseconds until the next round */
  async function round(known: readonly PeerDeletion[] | null): Promise<number> {
    for (const entry of known ?? (await dueWithin(0))) {
      if (isStopping) return 0;
      await removePeers(entry);
      trouble.ends();
    }
    const [next] = await dueWithin(idleMs, 1);
    return next === undefined ? idleMs : Math.min(idleMs, Math.max(0, next.dueAt - now()));
  }

  /**
   * Postpones the deletion before the request to the manager: this also removes the pending box, so that it can no longer
   * be activated. A box that was activated before has no entry and keeps its peer, even if clocks differ. A remaining
   * route file is removed first, because the next peer may get the address. choice/gateway/88
   */
  async function removePeers({ peerName, peerKey, attempts }: PeerDeletion): Promise<void> {
    const hasToGo = await store.postponePeer(peerName, now() + backOffMs(attempts + 1, backOff));
    if (!hasToGo) return;
    await routeFiles.put(boxIdOfPeer(peerName), null);
    const count = await tunnelManager.removePeers({ peerName, peerKey });
    if (isGone(peerName, count)) await store.settlePeer(peerName);
    else await store.postponePeer(peerName, now() + secondAttemptMs);
  }

  return {
    /**
     * Deletions that are due within `aheadMs` count as due now: on a store of one process, no registration of an
     * earlier run is still in progress. Resolves when the due deletions are read. Registrations may start only then.
     */
    async start(aheadMs: number): Promise<void> {
      running = run(await dueWithin(aheadMs));
    },
    /** Finishes the current deletion and starts no other. */
    async stop(): Promise<void> {
      isStopping = true;
      stopped.resolve();
      await running;
    },
  };
}

/** Whether a peer is gone for good: it was removed, or was absent at two attempts that are a minute apart. */
function makeSecondAttempts(now: () => number): (peerName: string, removed: number) => boolean {
  const firstAttempts = new Map<string, number>();
  return (peerName, removed) => {
    for (const [name, at] of firstAttempts) if (now() - at > 10 * secondAttemptMs) firstAttempts.delete(name);
    const firstAttempt = Math.min(firstAttempts.get(peerName) ?? now(), now()); // The clock may have been set back.
    const isForGood = removed > 0 || now() - firstAttempt >= secondAttemptMs;
    if (isForGood) firstAttempts.delete(peerName);
    else firstAttempts.set(peerName, firstAttempt);
    return isForGood;
  };
}

/** Warns of the first failure and the next success. `begins` returns the wait until the next attempt. */
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

/** An unexpected error is reported with its stack. */
function reasonOf(error: unknown): string {
  if (error instanceof TunnelFailed) return `tunnel manager: ${error.message}`;
  const isKnown = error instanceof RouteFilesFailed || error instanceof StoreFailed;
  return isKnown ? error.message : String((error as Error).stack);
}
