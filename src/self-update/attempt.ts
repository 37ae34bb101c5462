import type { UpdaterPorts } from './ports.ts';
import type { UpdateState } from './rules/update-state.ts';

/** The shortest time between two writes of the state during a download. */
const progressEveryMs = 1000;
/** The pause before a failed write of the final state is repeated. */
const retryMs = 1000;

/** One run of the updater and its published state. */
export type Attempt = ReturnType<typeof makeAttempt>;

/**
 * Makes an attempt that starts from the state `first`, which is on disk already or is written by the first call.
 * box/update-state/5, choice/box/131
 */
export function makeAttempt({ updateFiles, now, stopwatch, stopSignal }: UpdaterPorts, first: UpdateState) {
  let state = first;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = async (change: UpdateState) => {
    const next = { ...state, ...change, updated_at: now().toISOString() };
    await updateFiles.writeState(next);
    // Assigned after the write, because a stage begins only when its state is on disk.
    state = next;
    writtenAt = stopwatch.elapsed();
  };
  return {
    state: () => state,
    /** Writes the state with these fields changed. Throws StorageFailed, and UpdateFailed if the updater has to stop. */
    async note(change: UpdateState) {
      stopSignal.throwIfAborted();
      await write(change);
    },
    /** Like `note`, but does nothing if the state was written less than a second ago. */
    async noteProgress(change: UpdateState) {
      stopSignal.throwIfAborted();
      if (stopwatch.elapsed() - writtenAt >= progressEveryMs) await write(change);
    },
    /** Writes the final state, without the message of the stage before. Throws StorageFailed if that fails twice. */
    async end(stage: 'done' | 'rolled_back', change: UpdateState): Promise<UpdateState> {
      const { message: _, ...known } = state;
      state = known;
      const end = { ...change, stage, finished_at: now().toISOString() };
      await write(end).catch(async () => {
        await stopwatch.pause(retryMs);
        await write(end);
      });
      return state;
    },
  };
}
