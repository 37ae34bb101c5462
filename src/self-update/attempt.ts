import type { UpdateState } from './rules/update-state.ts';
import type { UpdaterPorts } from './updater-ports.ts';

type Recorder = Pick<UpdaterPorts, 'updateFiles' | 'now' | 'stopwatch'>;

/** At most so often while the bytes of a download come in. */
const progressEveryMs = 1000;
/** Before the final state, which counts most, is written a second time. */
const retryMs = 1000;

/** One run of the updater, as it is written down. */
export type Attempt = {
  state(): UpdateState;
  /** Writes the state with these fields changed. Throws StorageFailed. */
  note(change: UpdateState): Promise<void>;
  /** The same, but skipped if the state was written less than a second ago. */
  noteProgress(change: UpdateState): Promise<void>;
  /** Writes the final state, without the message of the stage before. Throws StorageFailed if that fails twice. */
  end(stage: 'done' | 'rolled_back', change: UpdateState): Promise<UpdateState>;
};

/** Continues a state that is on disk or to be written first. box/update-state/5, choice/box/131 */
export function makeAttempt({ updateFiles, now, stopwatch }: Recorder, first: UpdateState): Attempt {
  let state = first;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const note = async (change: UpdateState) => {
    state = { ...state, ...change, updated_at: now().toISOString() };
    await updateFiles.writeState(state);
    writtenAt = stopwatch.elapsed();
  };
  return {
    state: () => state,
    note,
    async noteProgress(change) {
      if (stopwatch.elapsed() - writtenAt >= progressEveryMs) await note(change);
    },
    async end(stage, change) {
      const { message: _, ...known } = state;
      state = known;
      const end = { ...change, stage, finished_at: now().toISOString() };
      await note(end).catch(async () => {
        await stopwatch.pause(retryMs);
        await note(end);
      });
      return state;
    },
  };
}
