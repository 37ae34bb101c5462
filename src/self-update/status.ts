import type { UpdatePorts } from './ports.ts';
import { interruptedState, isUnfinished } from './rules/update-state.ts';

/**
 * Writes the final state of an interrupted update: one that is unfinished while the lock is free. A new version whose
 * switch is not committed does not write it. Then the restarted updater writes it, or the previous version after the
 * next start of the service.
 * choice/box/135
 * @param before - the version before a switch that is not committed; `null` without such a switch
 */
export async function correctInterruptedUpdate(
  { updateFiles, version, now }: Pick<UpdatePorts, 'updateFiles' | 'version' | 'now'>,
  before: () => Promise<string | null> = async () => null,
): Promise<void> {
  if (!isUnfinished(await updateFiles.readState())) return;
  const lock = await updateFiles.tryLock();
  if (lock === null) return;
  try {
    // Read again, because the update may have ended before the lock was taken.
    const state = await updateFiles.readState();
    if (isUnfinished(state) && [null, version].includes(await before())) {
      await updateFiles.writeState(interruptedState(state, version, now()));
    }
  } finally {
    lock.release();
  }
}
