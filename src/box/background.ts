import type { AppsBox } from './apps/ports.ts';
import { purgeTrash } from './apps/removed-apps.ts';
import { isUnfinished, warnOfBackups } from './backup/backup-problems.ts';
import { isDiskBack } from './engine/disks.ts';
import type { EngineEvents } from './engine/ports.ts';
import { atStart, reconcileUnasked } from './engine/reconcile-unasked.ts';
import { retryImages } from './engine/retry-images.ts';
import { isStoppedInVain } from './engine/stop-and-start.ts';
import { watchEngine } from './engine/watch-engine.ts';

const dayMs = 24 * 60 * 60 * 1000;
const retryEveryMs = 10_000;
/** Looks for what no event announces: a published port that moved, a repository of backups that answers again. */
const lookEveryMs = 60_000;
/** A shutdown waits at most this long for changes that a client asked for. */
const longestStopMs = 80_000;

/** Reconciles all apps each time that the engine begins to answer. */
export function makeBackground(box: AppsBox, events: EngineEvents) {
  let isStopping = false;
  let by = atStart;
  let reconciling: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  let watch: ReturnType<typeof watchEngine> | null = null;
  const later = (ms: number, run: () => void) => setTimeout(run, ms).unref();
  const reconcile = (reason: string) => reconcileUnasked(box, reason, () => isStopping);
  /** A reconcile waits while another process is at work, which may take longer than the next look. */
  const look = async () => {
    box.addresses.follow();
    if (isBusy) return;
    isBusy = true;
    if (isUnfinished(box.backup)) await reconcile('to finish a backup');
    // While Docker starts again, a look may wait for it, and then does not show that it was away.
    if (isStoppedInVain(box)) await reconcile('because a stopped app runs');
    if (isDiskBack(box)) await reconcile('because a disk is back');
    isBusy = false;
  };
  return {
    start() {
      if (isStopping) return;
      watch = watchEngine({ ...box, events, later }, () => {
        const earlier = reconciling;
        const reason = by;
        reconciling = earlier.then(() => reconcile(reason));
        by = 'because Docker is back';
      });
      setInterval(look, lookEveryMs).unref();
    },
    stop() {
      isStopping = true;
      watch?.stop();
      const limit = new Promise<boolean>((done) => later(longestStopMs, () => done(false)));
      return Promise.race([reconciling.then(() => true), limit]);
    },
  };
}

export function keepHouse(box: AppsBox, followNames: () => void): void {
  daily(box, 'removed apps could not be erased', () => purgeTrash(box));
  daily(box, 'backups could not be looked after', () => lookAfterBackups(box));
  for (const { keepHouse: begin } of box.subjects) begin?.();
  setInterval(followNames, lookEveryMs).unref();
}

/** Does work now and once a day. A failure is logged, and the work is done again the next day. */
function daily(box: AppsBox, failure: string, work: () => Promise<unknown>): void {
  const run = () => work().catch((error: Error) => box.warn(`${failure}: ${error.message}`));
  setInterval(run, dayMs).unref();
  void run();
}

/** Warns of backups that fail or are overdue, and removes what a rehearsal has left. */
async function lookAfterBackups(box: AppsBox): Promise<void> {
  warnOfBackups(box);
  if (box.backup.rehearsal.left().length > 0) await (await import('./backup/rehearse.ts')).clearRehearsals(box);
}

/** Pulls missing images when they are due, until the returned function is called. */
export function keepRetryingImages(box: AppsBox): () => void {
  const stopping = new AbortController();
  let isBusy = false;
  const retry = async () => {
    if (isBusy) return;
    isBusy = true;
    await retryImages(box, stopping.signal).catch((error: Error) => {
      box.warn(`images could not be pulled again: ${error.message}`);
    });
    isBusy = false;
  };
  box.retryImages = retry;
  const timer = setInterval(retry, retryEveryMs).unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
