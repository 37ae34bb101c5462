import type { UpdatePorts } from './ports.ts';
import { interruptedState, isUnfinished, readUpdateState, type UpdateState } from './rules/update-state.ts';

/** Reads the state of the latest update. Never throws. box/getSelfUpdateStatus/1-2 */
export async function selfUpdateStatus(box: Pick<UpdatePorts, 'updateFiles'>): Promise<UpdateState> {
  return readUpdateState(await box.updateFiles.readState());
}

/**
 * Writes the final state of an interrupted update: one that is unfinished while the lock is free. A new version whose
 * switch is not committed does not write it. Then the restarted updater writes it, or the previous version after the
 * next start of the service.
 * choice/box/135
 * @param before - the version before a switch that is not committed; `null` without such a switch
 */
export async function correctInterruptedUpdate(
  box: Pick<UpdatePorts, 'updateFiles' | 'version' | 'now'>,
  before: () => Promise<string | null> = async () => null,
): Promise<void> {
  if (!isUnfinished(await selfUpdateStatus(box))) return;
  const lock = await box.updateFiles.tryLock();
  if (lock === null) return;
  try {
    // Read again, because the update may have ended before the lock was taken.
    const state = await selfUpdateStatus(box);
    if (isUnfinished(state) && [null, box.version].includes(await before())) {
      await box.updateFiles.writeState(interruptedState(state, box.version, box.now()));
    }
  } finally {
    lock.release();
  }
}
