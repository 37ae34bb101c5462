import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type PeerState, type Store, TunnelFailed, type TunnelManager } from '../../ports.ts';
import { type KnownNetwork, type Network, networkOfManager, usualNetwork } from '../../rules/tunnel-config.ts';
import { makeSessionKeeper, type SessionStore } from './session-keeper.ts';
import { makeSeal } from './session-seal.ts';
import { makeTunnelLock } from './tunnel-manager-lock.ts';
import { createPeer, findConfigMistake, removePeers } from './tunnel-manager-peers.ts';
import { openTunnelSession, type TunnelSession } from './tunnel-manager-session.ts';
import { makeWgEasy } from './wg-easy.ts';
import { WgEasyError, type WgEasyFault } from './wg-easy-error.ts';

/**
 * `waiting`: how many calls of this process may wait or run. The wait for the lock, the work and the clean-up after a
 * failed create add up to the 25 s of a registration. `probeMs` is for the first answer of a look for mistakes, because a
 * registration or the end of the process may be waiting for it; its login is not cut off, because version 15 may lock
 * itself then. choice/gateway/48
 */
const usualLimits = {
  probeMs: 2_000,
  callMs: 10_000,
  workMs: 12_000,
  cleanUpMs: 5_000,
  waiting: 32,
  waitMs: 8_000,
};

/** Faults that stay until the operator corrects something. */
const mistakes: ReadonlySet<WgEasyFault> = new Set([
  'redirect',
  'notWgEasy',
  'tooOld',
  'wrongPassword',
  'shortPassword',
  'twoFactor',
  'loginOff',
]);

export type TunnelManagerOptions = {
  url: string;
  username: string;
  password: string;
  store: Pick<Store, 'exclusively'> & SessionStore;
  limits?: Partial<typeof usualLimits>;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
  /** The network of the tunnels; `null` for that of this machine's interface, or wg-easy's usual one. */
  network?: Network | null;
  /** scrypt's cost of the key that seals the session; tests use a smaller one. */
  keyCost?: number;
};

/** The tunnel manager port on wg-easy. Each call holds the lock from its first request to its last. */
export function makeTunnelManager(options: TunnelManagerOptions): TunnelManager {
  const limits = { ...usualLimits, ...options.limits };
  const { username, password, store, now = () => performance.now() } = options;
  const { pause = setTimeout, network = null } = options;
  const url = new URL(options.url);
  const wgEasy = makeWgEasy({ url, username, password });
  const seal = makeSeal(password, `tunnel manager ${url.href} ${username}`, options.keyCost);
  const keeper = makeSessionKeeper({ wgEasy, seal, store, now, pause });
  const locked = makeTunnelLock(store, limits);
  const sessionOptions = { wgEasy, keeper, callMs: limits.callMs, now };

  let wasUsed = false;

  function change<Result>(work: (session: TunnelSession) => Promise<Result>): Promise<Result> {
    wasUsed = true;
    return inSession(work);
  }

  async function inSession<Result>(
    work: (session: TunnelSession) => Promise<Result>,
    { probesFirst = false } = {},
  ): Promise<Result> {
    try {
      return await locked(async () => {
        if (probesFirst) await wgEasy.detect(() => limits.probeMs);
        return work(await openTunnelSession(sessionOptions, limits.workMs));
      });
    } catch (error) {
      if (!(error instanceof WgEasyError)) throw error;
      // `createPeer` throws TunnelFailed itself if a peer may remain.
      throw new TunnelFailed(error.phrase, { cause: error, peerMayRemain: false });
    }
  }

  return {
    async findMistake() {
      try {
        return await inSession(findConfigMistake, { probesFirst: true });
      } catch (error) {
        const { cause, message } = error as TunnelFailed;
        if (!(cause instanceof WgEasyError && mistakes.has(cause.fault))) throw error;
        keeper.forgive(); // The next box joins as soon as the operator has corrected it.
        return message;
      }
    },
    createPeer: (name) =>
      change((session) => createPeer(session, name, { cleanUpMs: limits.cleanUpMs, network: knownNetwork(network) })),
    removePeers: (peer) => change((session) => removePeers(session, peer)),
    listPeers: () => inSession(async (session) => (await session.list()).map(({ id: _, ...peer }): PeerState => peer)),
    wasUsed: () => wasUsed,
  };
}

function knownNetwork(set: Network | null): KnownNetwork {
  return set === null ? ownNetwork() : { ...set, isSet: true };
}

/** The deployments name wg-easy's interface wg0. It may be elsewhere, or down, or hidden by a sandbox. */
export function ownNetwork(): Network {
  let addresses: NetworkInterfaceInfo[];
  try {
    addresses = (networkInterfaces().wg0 ?? []).filter(({ family }) => family === 'IPv4');
  } catch {
    return usualNetwork;
  }
  const found = addresses.map(({ address, cidr }) => ({ address, prefix: Number(cidr?.split('/')[1] ?? 32) }));
  return networkOfManager(found) ?? usualNetwork;
}
