import { attempt } from '../../lib/ignore.ts';
import { isUnfinished } from '../backup/backup-problems.ts';
import { ContainersFailed, type Core, StorageFailed, TooManyChanges } from '../core.ts';
import { asChange } from '../logged-change.ts';
import { hastenRetries } from './failed-ups.ts';
import type { EngineBox } from './ports.ts';
import { reconcile } from './reconcile.ts';

export const atStart = 'at the start';

/** Faults whose message is complete in the journal's line. */
const told = [ContainersFailed, StorageFailed, TooManyChanges];

/**
 * Reconciles all apps without a request, in its turn among the changes. The journal has the outcome. When Docker is
 * back, apps that failed before are tried again. Does nothing if the box is stopping when its turn comes, or if a
 * requested change has already done the reconcile of the start.
 * choice/box/270
 */
export async function reconcileUnasked(box: EngineBox, by: string, isStopping: () => boolean): Promise<void> {
  // A restore that was cut off may be about to put the only app in place.
  if (hasNoApp(box) && !isUnfinished(box.backup)) return;
  const inTurn = () =>
    box.changes.run(async () => {
      const isDone = by === atStart && box.sinceStart.isReconciled;
      if (isDone || isStopping()) return [];
      // Docker was started since, so every app is tried again.
      if (by !== atStart) box.failedUps.clear();
      const actions = await reconcile(box, null, undefined, { pulls: false });
      hastenRetries(box, null);
      return actions;
    });
  await asChange(box.journal, { operation: 'reconcile', subject: '', by }, inTurn).catch((error: unknown) => {
    if (!told.some((kind) => error instanceof kind)) box.report(error);
  });
}

/** An unreadable directory may have apps. The reconcile finds out, and the journal says why it failed. */
function hasNoApp(box: Pick<Core, 'apps'>): boolean {
  return attempt(
    () => box.apps.all('installed').length === 0,
    StorageFailed,
    () => false,
  );
}
