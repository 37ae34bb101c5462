import type { SessionKeeper } from './session-keeper.ts';
import type { Budget, Session, WgEasy } from './wg-easy.ts';
import { WgEasyError } from './wg-easy-error.ts';

export type TunnelSession = Awaited<ReturnType<typeof openTunnelSession>>;

type Options = {
  wgEasy: WgEasy;
  keeper: SessionKeeper;
  /** Limit for one call, besides the limit for all of them. */
  callMs: number;
  now(): number;
};

type Send<Result> = (session: Session, budget: Budget) => Promise<Result>;

/**
 * The calls to wg-easy under one hold of the lock, in bounded time. If the login session was lost, it logs in again and
 * repeats the call; it logs in at most once. Throws WgEasyError, or StoreFailed if the store fails.
 * choice/gateway/48, should/gateway/51
 */
export async function openTunnelSession({ wgEasy, keeper, callMs, now }: Options, workMs: number) {
  let endsAt = now() + workMs;
  const budget: Budget = () => Math.max(1, Math.min(callMs, endsAt - now()));
  let { session, isNew } = await keeper.session(budget);

  async function call<Result>(send: Send<Result>, repeat = send): Promise<Result> {
    try {
      return await send(session, budget);
    } catch (error) {
      if (isNew || !isOutdated(error)) throw error;
      // Set before the login, so that a refused login is not repeated by the next call.
      isNew = true;
      session = await keeper.login(budget);
      return repeat(session, budget);
    }
  }

  return {
    is14: () => session.dialect === '14',
    list: () => call(wgEasy.list),
    configuration: (id: string) => call((session, budget) => wgEasy.configuration(session, id, budget)),
    remove: (id: string) => call((session, budget) => wgEasy.remove(session, id, budget)),
    create(name: string): Promise<string | null> {
      const create: Send<string | null> = (session, budget) => wgEasy.create(session, name, budget);
      return call(create, async (session, budget) => {
        // should/gateway/53: on version 14 a create that failed after storing looks like a lost session.
        const clients = await wgEasy.list(session, budget);
        if (!clients.some((client) => client.name === name)) return create(session, budget);
        throw new WgEasyError('serverError', '500 to a create that it stored');
      });
    },
    /** Sets the total time limit for all further calls. */
    grant(ms: number): void {
      endsAt = now() + ms;
    },
  };
}

/** The session expired, or wg-easy was upgraded or downgraded. */
function isOutdated(error: unknown): boolean {
  return error instanceof WgEasyError && (error.fault === 'sessionLost' || error.fault === 'wrongPath');
}
