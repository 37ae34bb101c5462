import type { GatewayPorts } from '../ports.ts';

/** When boxes were last seen, kept in memory and written now and then. */
export type Heartbeats = {
  touch(boxId: string): void;
  /** Writes what is not written yet; for a shutdown. */
  flush(): Promise<void>;
  /** Whether the last write failed. */
  areBehind(): boolean;
};

/** The time from the first heartbeat that is not written to its statement. */
const delayMs = 3000;
/** So many boxes a statement, so that requests are not kept waiting by a long one. */
const boxesAtOnce = 500;

/**
 * A heartbeat costs no statement of its own: those of a few seconds are written together. A store that fails keeps
 * them here for the next time, and the operator is told once.
 * choice/gateway/65, choice/gateway/66
 */
export function makeHeartbeats({
  store,
  now,
  pause,
  warn,
}: Pick<GatewayPorts, 'store' | 'now' | 'pause' | 'warn'>): Heartbeats {
  let seen = new Map<string, number>();
  let isScheduled = false;
  let hasFailed = false;

  const schedule = () => {
    isScheduled = true;
    void pause(delayMs).then(async () => {
      await flush();
      isScheduled = false;
      if (seen.size > 0) schedule();
    });
  };

  const flush = async () => {
    const writing = seen;
    seen = new Map();
    try {
      await writeInSlices(writing);
      hasFailed = false;
    } catch (error) {
      // What came meanwhile is newer. Those that were written already are written again, which changes nothing.
      seen = new Map([...writing, ...seen]);
      if (!hasFailed) warn(`heartbeats could not be written: ${(error as Error).message}`);
      hasFailed = true;
    }
  };

  const writeInSlices = async (all: ReadonlyMap<string, number>) => {
    const entries = [...all];
    for (let i = 0; i < entries.length; i += boxesAtOnce) {
      if (i > 0) await pause(0);
      await store.touchBoxes(new Map(entries.slice(i, i + boxesAtOnce)));
    }
  };

  return {
    touch(boxId) {
      seen.set(boxId, now());
      if (!isScheduled) schedule();
    },
    flush,
    areBehind: () => hasFailed,
  };
}
