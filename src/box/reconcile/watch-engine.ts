import { faultText } from '../apps/fault-text.ts';
import { type BoxPorts, ContainersFailed, type EngineEvents } from '../ports.ts';
import type { Snapshot } from './app-states.ts';

export type WatchPorts = Pick<BoxPorts, 'containers' | 'states' | 'now' | 'report'> & {
  events: EngineEvents;
  /** Calls back after so many ms. A call that is still due keeps no process alive. */
  later(ms: number, run: () => void): void;
};

/** Events come in groups: of one restart there are four. */
const settleMs = 100;
const betweenSnapshotsMs = 500;
const shortestWaitMs = 500;
const longestWaitMs = 5000;

/**
 * Keeps the states of apps as the engine has them: looks now, after each group of events, and when the stream of events
 * has ended, which it then follows anew. `onAnswer` is called when the engine answers for the first time, and again
 * after it did not.
 * choice/box/269
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

  /** No event comes of an engine that answers again while its stream of events goes on. */
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
    // An engine that answers in words of its own is not away: what was stopped by hand meanwhile stays stopped.
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
