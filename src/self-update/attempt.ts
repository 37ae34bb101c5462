import { UpdateFailed } from './rules/update-failed.ts';
import type { UpdateState } from './rules/update-state.ts';
import type { UpdaterPorts } from './updater-ports.ts';

type Recorder = Pick<UpdaterPorts, 'updateFiles' | 'now' | 'stopwatch' | 'stopSignal'>;

/** The shortest time between two writes of the state during a download. */
const progressEveryMs = 1000;
/** The pause before a failed write of the final state is repeated. */
const retryMs = 1000;

/** One run of the updater and its published state. */
export type Attempt = {
  state(): UpdateState;
  /** Writes the state with these fields changed. Throws StorageFailed, and UpdateFailed if the updater has to stop. */
  note(change: UpdateState): Promise<void>;
  /** Like `note`, but does nothing if the state was written less than a second ago. */
  noteProgress(change: UpdateState): Promise<void>;
  /** Writes the final state, without the message of the stage before. Throws StorageFailed if that fails twice. */
  end(stage: 'done' | 'rolled_back', change: UpdateState): Promise<UpdateState>;
};

/**
 * Makes an attempt that starts from the state `first`, which is on disk already or is written by the first call.
 * box/update-state/5, choice/box/131
 */
export function makeAttempt(ports: Recorder, first: UpdateState): Attempt {
  const { updateFiles, now, stopwatch, stopSignal } = ports;
  let state = first;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = async (change: UpdateState) => {
    const next = { ...state, ...change, updated_at: now().toISOString() };
    await updateFiles.writeState(next);
    // Assigned after the write, because a stage begins only when its state is on disk.
    state = next;
    writtenAt = stopwatch.elapsed();
  };
  const note = async (change: UpdateState) => {
    stopIfAsked(stopSignal);
    await write(change);
  };
  return {
    state: () => state,
    note,
    async noteProgress(change) {
      stopIfAsked(stopSignal);
      if (stopwatch.elapsed() - writtenAt >= progressEveryMs) await write(change);
    },
    async end(stage, change) {
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

/** Throws UpdateFailed if the updater was asked to stop. */
export function stopIfAsked(signal: AbortSignal): void {
  const stopped = stopFailure(signal);
  if (stopped !== null) throw stopped;
}

/** The reason of a roll-back if the updater was asked to stop, else `null`. */
export function stopFailure({ aborted, reason }: AbortSignal): UpdateFailed | null {
  if (!aborted) return null;
  return new UpdateFailed('stopped', `the update was stopped by a signal (${reason}); start it again`);
}
