import { faultText } from '../apps/fault-text.ts';
import type { Snapshot } from '../known-apps.ts';
import { type BoxPorts, ContainersFailed, type EngineEvents } from '../ports.ts';

export type WatchPorts = Pick<BoxPorts, 'containers' | 'states' | 'now' | 'report'> & {
  events: EngineEvents;
  /** Calls back after so many ms. A pending call does not keep the process alive. */
  later(ms: number, run: () => void): void;
};

/** Events come in groups: a restart causes four. */
const settleMs = 100;
const betweenSnapshotsMs = 500;
const shortestWaitMs = 500;
const longestWaitMs = 5000;

/**
 * Keeps the states of apps up to date: takes a snapshot now, after each group of events, and at the end of the event
 * stream, which it then follows again. `onAnswer` is called when the engine first answers, and when it answers again
 * after an absence.
 * choice/box/265
 */
export function watchEngine(box: WatchPorts, onAnswer: () => void): { stop(): void } {
  const { events, later, now, states } = box;
  let isStopped = false;
  let hasAnswered = false;
  let phase: 'idle' | 'waiting' | 'busy' = 'idle';
  let isStale = false;
  let isRetryDue = false;
  let stream: ReturnType<EngineEvents['follow']> | null = null;

  const snapshotSoon = (ms: number) => {
    isStale = true;
    if (phase !== 'idle') return;
    phase = 'waiting';
    later(ms, () => void snapshotAndRest());
  };

  /** An engine that answers again sends no event if its event stream never ended. */
  const retryLate = () => {
    if (isRetryDue) return;
    isRetryDue = true;
    later(longestWaitMs, () => {
      isRetryDue = false;
      snapshotSoon(0);
    });
  };

  const snapshotAndRest = async () => {
    phase = 'busy';
    isStale = false;
    const { snapshot, isSilent } = await takeSnapshot(box);
    if (isStopped) return;
    states.update(snapshot);
    const answers = 'containers' in snapshot;
    if (answers && !hasAnswered) onAnswer();
    // An engine whose answer cannot be parsed was not absent, so containers stopped by hand meanwhile stay stopped.
    hasAnswered = answers || (hasAnswered && !isSilent);
    if (!answers) retryLate();
    later(betweenSnapshotsMs, () => {
      phase = 'idle';
      if (isStale) snapshotSoon(0);
    });
  };

  const follow = (waitMs: number) => {
    if (isStopped) return;
    const beganAt = now().getTime();
    stream = events.follow(() => snapshotSoon(settleMs));
    snapshotSoon(0);
    stream.ended.then(() => {
      if (isStopped) return;
      if (hasAnswered) snapshotSoon(0);
      const wasSteady = now().getTime() - beganAt > longestWaitMs;
      const nextMs = wasSteady ? shortestWaitMs : waitMs;
      later(nextMs, () => follow(Math.min(nextMs * 2, longestWaitMs)));
    });
  };

  follow(shortestWaitMs);
  return {
    stop() {
      isStopped = true;
      stream?.stop();
    },
  };
}

async function takeSnapshot(box: WatchPorts): Promise<{ snapshot: Snapshot; isSilent: boolean }> {
  try {
    return { snapshot: { containers: await box.containers.inspectAll() }, isSilent: false };
  } catch (error) {
    const text = faultText(box, error);
    const isSilent = error instanceof ContainersFailed && error.unreachable;
    const failure = isSilent ? text : `Docker does not say what its containers do: ${text}`;
    return { snapshot: { failure }, isSilent };
  }
}
