import { asChange } from '../journal.ts';
import { type BoxPorts, ContainersFailed, StorageFailed, TooManyChanges } from '../ports.ts';
import { forgetFailedUps, hastenRetries } from './failed-ups.ts';
import { reconcile } from './reconcile.ts';

export const atStart = 'at the start';

/** Faults that the journal's line tells whole. */
const told = [ContainersFailed, StorageFailed, TooManyChanges];

/**
 * Brings all apps in line without anybody having asked for it, in its turn among the changes. The journal has its
 * outcome. When Docker is back, what failed before is tried again. Does nothing if the box is stopping when its turn comes,
 * or if a change of an owner came before the reconcile of the start and did the same.
 * choice/box/270
 */
export async function reconcileUnasked(box: BoxPorts, by: string, isStopping: () => boolean): Promise<void> {
  if (hasNoApp(box)) return;
  const inTurn = () =>
    box.changes.run(async () => {
      const isDone = by === atStart && box.sinceStart.isReconciled;
      if (isDone || isStopping()) return [];
      if (by !== atStart) forgetFailedUps(box);
      const actions = await reconcile(box, null, undefined, false);
      hastenRetries(box, null);
      return actions;
    });
  await asChange(box.journal, { operation: 'reconcile', subject: '', by }, inTurn).catch((error: unknown) => {
    if (!told.some((kind) => error instanceof kind)) box.report(error);
  });
}

/** A directory that cannot be read may have apps; the reconcile finds out, and the journal says why it failed. */
function hasNoApp(box: Pick<BoxPorts, 'apps'>): boolean {
  try {
    return box.apps.all('installed').length === 0;
  } catch (error) {
    if (error instanceof StorageFailed) return false;
    throw error;
  }
}
