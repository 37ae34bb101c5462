import { setTimeout } from 'node:timers/promises';
import { type Store, TunnelFailed, type TunnelManager } from '../../ports.ts';
import { makeSessionKeeper, type SessionStore } from './session-keeper.ts';
import { makeSeal } from './session-seal.ts';
import { phraseOf } from './tunnel-manager-failures.ts';
import { type LockLimits, makeTunnelLock } from './tunnel-manager-lock.ts';
import { createPeer, removePeers } from './tunnel-manager-peers.ts';
import { openTunnelSession, type TunnelSession } from './tunnel-manager-session.ts';
import { makeWgEasy } from './wg-easy.ts';
import { WgEasyError } from './wg-easy-error.ts';

export type TunnelLimits = LockLimits & {
  callMs: number;
  workMs: number;
  /** Additional time to clean up after a failed create. */
  cleanUpMs: number;
};

/** The wait for the lock, the work and the clean-up add up to the 25 s of a registration. choice/gateway/48 */
const usualLimits: TunnelLimits = { callMs: 10_000, waiting: 32, waitMs: 8_000, workMs: 12_000, cleanUpMs: 5_000 };

/** Short, because a registration may be waiting for the end of the probe. */
const probeMs = 2000;

export type TunnelManagerOptions = {
  url: string;
  username: string;
  password: string;
  store: Pick<Store, 'exclusively'> & SessionStore;
  limits?: Partial<TunnelLimits>;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
  /** scrypt's cost of the key that seals the session; tests use a smaller one. */
  keyCost?: number;
};

/** The tunnel manager port on wg-easy. Each call holds the lock from its first request to its last. */
export function makeTunnelManager(options: TunnelManagerOptions): TunnelManager {
  const limits = { ...usualLimits, ...options.limits };
  const { username, password, store, now = () => performance.now() } = options;
  const { pause = setTimeout } = options;
  const url = new URL(options.url);
  const wgEasy = makeWgEasy({ url, username, password });
  const seal = makeSeal(password, `tunnel manager ${url.href} ${username}`, options.keyCost);
  const keeper = makeSessionKeeper({ wgEasy, seal, store, now, pause });
  const locked = makeTunnelLock(store, limits);
  const sessionOptions = { wgEasy, keeper, callMs: limits.callMs, now };

  async function inSession<Result>(work: (session: TunnelSession) => Promise<Result>): Promise<Result> {
    try {
      return await locked(async () => work(await openTunnelSession(sessionOptions, limits.workMs)));
    } catch (error) {
      if (!(error instanceof WgEasyError)) throw error;
      // `createPeer` throws TunnelFailed itself if a peer may remain.
      throw new TunnelFailed(phraseOf(error), { cause: error, peerMayRemain: false });
    }
  }

  return {
    async findOutdated() {
      try {
        await locked(() => keeper.probe(() => probeMs));
      } catch (error) {
        if (error instanceof WgEasyError && error.fault === 'tooOld') return phraseOf(error);
      }
      return null;
    },
    createPeer: (name) => inSession((session) => createPeer(session, name, limits.cleanUpMs)),
    removePeers: (name) => inSession((session) => removePeers(session, name)),
    listPeers: () => inSession((session) => session.list()),
  };
}
