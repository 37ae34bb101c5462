import { coalesce } from '../../lib/coalesce.ts';
import type { EngineBox, EngineEvents } from './ports.ts';

export type WatchPorts = Pick<EngineBox, 'observer' | 'changes' | 'now' | 'addresses'> & {
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
  const { changes, events, later, now, observer, addresses } = box;
  const pause = (ms: number) => new Promise<void>((done) => later(ms, done));
  let isStopped = false;
  let hasAnswered = false;
  /** Number of looks at the latest event; a later look has seen it. */
  let staleAt = 0;
  let isRetryDue = false;
  let stream: ReturnType<EngineEvents['follow']> | null = null;

  const lookSoon = coalesce(async () => {
    await pause(changes.waiting() > 0 ? settleInChangeMs : settleMs);
    if (isStopped || observer.looks() !== staleAt) return;
    await observer.look();
    await pause(betweenLooksMs);
  });
  const noteEvent = () => {
    staleAt = observer.looks();
    // Does not wait until the events settle: a port may lead to another program already.
    addresses.follow();
    void lookSoon();
  };

  /** An engine that answers again sends no event if its event stream never ended. */
  const retryLate = async () => {
    if (isRetryDue) return;
    isRetryDue = true;
    await pause(longestWaitMs);
    isRetryDue = false;
    noteEvent();
  };

  observer.onPicture(({ failure }) => {
    if (isStopped) return;
    if (failure === null && !hasAnswered) onAnswer();
    // An engine whose answer cannot be parsed was not absent, so containers stopped by hand meanwhile stay stopped.
    hasAnswered = failure === null || (hasAnswered && !failure.unreachable);
    if (failure !== null) void retryLate();
  });

  const keepFollowing = async () => {
    for (let waitMs = shortestWaitMs; !isStopped; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const beganAt = now().getTime();
      stream = events.follow(noteEvent, addresses.shut);
      noteEvent();
      await stream.ended;
      if (isStopped) return;
      if (hasAnswered) noteEvent();
      if (now().getTime() - beganAt > longestWaitMs) waitMs = shortestWaitMs;
      await pause(waitMs);
    }
  };

  void keepFollowing();
  void observer.look();
  return {
    stop() {
      isStopped = true;
      stream?.stop();
    },
  };
}
