import type { Store } from '../../ports.ts';
import { backOffMs } from '../../rules/back-off.ts';
import type { Seal } from './session-seal.ts';
import { type Budget, type Found, isDialect, type Session, type WgEasy } from './wg-easy.ts';
import { WgEasyError, type WgEasyFault } from './wg-easy-error.ts';

export type SessionKeeper = ReturnType<typeof makeSessionKeeper>;

/** Wait after failed logins. On version 15 a login during a lock prolongs the lock. */
const loginBackOff = { firstMs: 1000, mostMs: 30_000 };

/** The manager refuses these logins. The operator may have corrected the cause, so one more login is tried. */
const loginRejected: ReadonlySet<WgEasyFault> = new Set(['wrongPassword', 'shortPassword', 'twoFactor', 'loginOff']);

/** After these faults the manager may still process the login. */
const mayContinue: ReadonlySet<WgEasyFault> = new Set(['timeout', 'lost', 'unavailable']);

/**
 * How long the manager may process a login after its client has given up. The longest observed login took 0.4 s. Two
 * simultaneous logins lock version 15 for a minute or two.
 */
const openLoginMs = 5000;

export type SessionStore = Pick<Store, 'readSession' | 'writeSession' | 'noteLogin' | 'openLoginMs'>;

type Options = {
  wgEasy: WgEasy;
  seal: Seal;
  store: SessionStore;
  /** Monotonic, in milliseconds. */
  now(): number;
  pause(ms: number): Promise<unknown>;
};

/**
 * The session at the tunnel manager: in memory, and sealed in the store for other processes and for the next start. The
 * caller holds the store's exclusive lock.
 * should/gateway/51
 */
export function makeSessionKeeper({ wgEasy, seal, store, now, pause }: Options) {
  /** The stored bytes at the last read, and the latest session. */
  let kept: { sealed: Uint8Array | null; session: Session | null } = { sealed: null, session: null };
  let refused: { error: WgEasyError; attempts: number; until: number } | null = null;

  async function login(budget: Budget): Promise<Session> {
    if (refused !== null && now() < refused.until) throw refused.error;
    const session = await tryLogin(await wgEasy.detect(budget), budget);
    refused = null;
    kept = { ...kept, session };
    const sealed = await seal.seal(JSON.stringify(session));
    await store.writeSession(sealed);
    kept = { sealed, session };
    return session;
  }

  /** The store notes the login before it is sent, so that no other process logs in at the same time. */
  async function tryLogin(found: Found, budget: Budget): Promise<Session> {
    const sinceMs = await store.openLoginMs();
    if (sinceMs !== null) await pause(Math.min(openLoginMs, Math.max(0, openLoginMs - sinceMs)));
    await store.noteLogin('begins');
    try {
      return await wgEasy.login(found, budget);
    } catch (error) {
      if (!(error instanceof WgEasyError)) throw error;
      if (!mayContinue.has(error.fault)) await store.noteLogin('has ended');
      const attempts = (refused?.attempts ?? 0) + 1;
      const waits = loginRejected.has(error.fault) ? attempts - 1 : attempts;
      const waitMs = waits === 0 ? 0 : backOffMs(waits, loginBackOff);
      refused = { error, attempts, until: now() + waitMs };
      throw error;
    }
  }

  async function stored(): Promise<Session | null> {
    const sealed = await store.readSession();
    if (!isSame(sealed, kept.sealed)) {
      kept = { sealed, session: sealed === null ? null : parseSession(await seal.open(sealed)) };
    }
    return kept.session;
  }

  return {
    /** Logs in again, because the manager refused the stored session. */
    login,
    /** Lets the next call log in at once, although the last login failed. */
    forgive(): void {
      refused = null;
    },
    /** The stored session, or a new one if none is stored. */
    async session(budget: Budget): Promise<{ session: Session; isNew: boolean }> {
      const session = await stored();
      return session === null ? { session: await login(budget), isNew: true } : { session, isNew: false };
    },
  };
}

function isSame(left: Uint8Array | null, right: Uint8Array | null): boolean {
  return left === null || right === null ? left === right : Buffer.compare(left, right) === 0;
}

function parseSession(text: string | null): Session | null {
  if (text === null) return null;
  const { dialect, cookie } = JSON.parse(text);
  return isDialect(dialect) && (cookie === null || typeof cookie === 'string') ? { dialect, cookie } : null;
}
