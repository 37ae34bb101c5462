import type { GatewayPorts } from '../ports.ts';
import { hear, type Source } from '../rules/heartbeat-sources.ts';

export type Heartbeats = ReturnType<typeof makeHeartbeats>;

/** Time from a heartbeat to its statement, at most. */
const delayMs = 3000;
/** Bounds the memory for sources, as boxes come and go. */
const mostBoxes = 10_000;
/** A box cannot fill the store with notes about itself. */
const noteEveryMs = 60_000;

/**
 * Collects the times at which boxes were last seen, and writes those of a few seconds in one statement. If the store
 * fails, they are kept for the next statement, and the operator gets one warning.
 * choice/gateway/65
 */
export function makeHeartbeats({ store, now, pause, warn }: Pick<GatewayPorts, 'store' | 'now' | 'pause' | 'warn'>) {
  let seen = new Map<string, number>();
  const sources = new Map<string, Source[]>();
  const notedAt = new Map<string, number>();
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
    if (seen.size === 0) return;
    const writing = seen;
    seen = new Map();
    try {
      await store.touchBoxes(writing);
      hasFailed = false;
    } catch (error) {
      // Heartbeats that came meanwhile are newer. Writing a time twice has no effect.
      seen = new Map([...writing, ...seen]);
      if (!hasFailed) warn(`heartbeats could not be written: ${(error as Error).message}`);
      hasFailed = true;
    }
  };

  /** A failure of the store is reported by the next statement for all boxes. */
  const noteSource = (boxId: string, source: Source) => {
    const { heard, inTurn } = hear(sources.get(boxId) ?? [], source);
    if (sources.size > mostBoxes) {
      sources.clear();
      notedAt.clear();
    }
    sources.set(boxId, heard);
    if (inTurn === null || source.at - (notedAt.get(boxId) ?? 0) < noteEveryMs) return;
    notedAt.set(boxId, source.at);
    void store.noteCopy(boxId, { from: inTurn, at: source.at }).catch(() => undefined);
  };

  return {
    touch(boxId: string, from: Omit<Source, 'at'>): void {
      const at = now();
      seen.set(boxId, at);
      noteSource(boxId, { ...from, at });
      if (!isScheduled) schedule();
    },
    /** Writes all collected times; for a shutdown. */
    flush,
    /** Whether the last write failed. */
    areBehind: () => hasFailed,
  };
}
