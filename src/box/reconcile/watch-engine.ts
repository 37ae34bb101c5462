import type { BoxPorts, EngineEvents, Picture } from '../ports.ts';

export type WatchPorts = Pick<BoxPorts, 'observer' | 'changes' | 'now'> & {
  events: EngineEvents;
  /** Calls back after so many ms. A pending call does not keep the process alive. */
  later(ms: number, run: () => void): void;
};

/** Events come in groups: a restart causes four. */
const settleMs = 100;
/** A change looks at the containers itself, most often sooner. */
const settleInChangeMs = 1500;
const betweenLooksMs = 500;
const shortestWaitMs = 500;
const longestWaitMs = 5000;

/**
 * Keeps the states of apps up to date: looks at the containers now, after each group of events, and at the end of the
 * event stream, which it then follows again. `onAnswer` is called when the engine first answers, and when it answers
 * again after an absence.
 * choice/box/265
 */
export function watchEngine(box: WatchPorts, onAnswer: () => void): { stop(): void } {
  const { changes, events, later, now, observer } = box;
  let isStopped = false;
  let hasAnswered = false;
  let phase: 'idle' | 'waiting' | 'busy' = 'idle';
  /** Number of looks at the latest event; a later look has seen it. */
  let staleAt = -1;
  let isRetryDue = false;
  let stream: ReturnType<EngineEvents['follow']> | null = null;

  const isStale = () => observer.looks() === staleAt;
  const lookSoon = (ms: number) => {
    staleAt = observer.looks();
    if (phase !== 'idle') return;
    phase = 'waiting';
    later(ms, () => void lookAndRest());
  };

  /** An engine that answers again sends no event if its event stream never ended. */
  const retryLate = () => {
    if (isRetryDue) return;
    isRetryDue = true;
    later(longestWaitMs, () => {
      isRetryDue = false;
      if (!isStopped) lookSoon(0);
    });
  };

  observer.onPicture(({ failure }: Picture) => {
    if (isStopped) return;
    if (failure === null && !hasAnswered) onAnswer();
    // An engine whose answer cannot be parsed was not absent, so containers stopped by hand meanwhile stay stopped.
    hasAnswered = failure === null || (hasAnswered && !failure.unreachable);
    if (failure !== null) retryLate();
  });

  const lookAndRest = async () => {
    if (isStopped) return;
    phase = 'busy';
    if (isStale()) await observer.look();
    later(betweenLooksMs, () => {
      phase = 'idle';
      if (isStale()) lookSoon(0);
    });
  };

  const follow = (waitMs: number) => {
    if (isStopped) return;
    const beganAt = now().getTime();
    stream = events.follow(() => lookSoon(changes.waiting() > 0 ? settleInChangeMs : settleMs));
    lookSoon(0);
    stream.ended.then(() => {
      if (isStopped) return;
      if (hasAnswered) lookSoon(0);
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
