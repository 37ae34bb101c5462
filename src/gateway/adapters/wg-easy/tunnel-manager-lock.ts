import { makeQueue, QueueFull } from '../../../lib/queue.ts';
import { type Store, TunnelFailed } from '../../ports.ts';

/**
 * Runs one piece of work at a time, over all processes that share the store. If too many calls wait, or a call waits too
 * long, it fails as busy and its work never starts.
 * choice/gateway/48, should/gateway/50
 */
export function makeTunnelLock(store: Pick<Store, 'exclusively'>, limits: { waiting: number; waitMs: number }) {
  const queue = makeQueue(limits.waiting);

  return async function locked<Result>(work: () => Promise<Result>): Promise<Result> {
    const tooLate = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      tooLate.reject(busy(`no turn within ${Math.round(limits.waitMs / 1000)} s`));
    }, limits.waitMs);
    const turn = queue(() =>
      store.exclusively(async () => {
        clearTimeout(timer);
        if (isLate) throw busy('given up already');
        return work();
      }),
    );
    try {
      return await Promise.race([turn, tooLate.promise]);
    } catch (error) {
      throw error instanceof QueueFull ? busy(`${limits.waiting} requests wait for it already`) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function busy(found: string): TunnelFailed {
  return new TunnelFailed(`busy (${found}): try again in a minute`, { peerMayRemain: false });
}
