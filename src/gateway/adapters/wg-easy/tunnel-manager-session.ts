import type { SessionKeeper } from './session-keeper.ts';
import type { Budget, Session, WgEasy } from './wg-easy.ts';
import { WgEasyError } from './wg-easy-error.ts';
import type { WgEasyPeer } from './wg-easy-responses.ts';

/**
 * What is said to wg-easy in one turn: within a session, and in bounded time. A session that was lost means one new
 * login and one repeat of the call; a turn logs in once at most. Every failure is a WgEasyError, or one of the store
 * that keeps the session.
 * choice/gateway/46, choice/gateway/51
 */
export type TunnelSession = {
  is14(): boolean;
  list(): Promise<WgEasyPeer[]>;
  create(name: string): Promise<string | null>;
  configuration(id: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** What follows has this much time from now. */
  grant(ms: number): void;
};

type Options = {
  wgEasy: WgEasy;
  keeper: SessionKeeper;
  /** How long one call may take, whatever time the turn has. */
  callMs: number;
  now(): number;
};

type Send<Result> = (session: Session, budget: Budget) => Promise<Result>;

export async function openTunnelSession(
  { wgEasy, keeper, callMs, now }: Options,
  workMs: number,
): Promise<TunnelSession> {
  let endsAt = now() + workMs;
  const budget: Budget = () => Math.max(1, Math.min(callMs, endsAt - now()));
  let { session, isNew } = await keeper.session(budget);

  async function call<Result>(send: Send<Result>, repeat = send): Promise<Result> {
    try {
      return await send(session, budget);
    } catch (error) {
      if (isNew || !isOutdated(error)) throw error;
      // Also where it is refused: the next call of this turn does not ask again.
      isNew = true;
      session = await keeper.login(budget);
      return repeat(session, budget);
    }
  }

  return {
    is14: () => session.dialect === '14',
    list: () => call(wgEasy.list),
    configuration: (id) => call((session, budget) => wgEasy.configuration(session, id, budget)),
    remove: (id) => call((session, budget) => wgEasy.remove(session, id, budget)),
    create(name) {
      const create: Send<string | null> = (session, budget) => wgEasy.create(session, name, budget);
      return call(create, async (session, budget) => {
        // choice/gateway/53: what looks like a lost session at version 14 may be a create that failed after storing.
        const clients = await wgEasy.list(session, budget);
        if (!clients.some((client) => client.name === name)) return create(session, budget);
        throw new WgEasyError('serverError', '500 to a create that it stored');
      });
    },
    grant(ms) {
      endsAt = now() + ms;
    },
  };
}

/** The session is none any more, or one of another dialect: the manager was upgraded, or taken back. */
function isOutdated(error: unknown): boolean {
  return error instanceof WgEasyError && (error.fault === 'sessionLost' || error.fault === 'wrongPath');
}
