import type { ServiceManager, Stopwatch, UpdateFiles } from './ports.ts';
import { isUnfinished, type UpdateState } from './rules/update-state.ts';

type Followed = {
  updateFiles: Pick<UpdateFiles, 'readState'>;
  manager: Pick<ServiceManager, 'status'>;
  stopwatch: Stopwatch;
};

const readEveryMs = 100;
/** Asking the service manager starts a program, so it is asked rarely. */
const askEveryMs = 1000;

/**
 * Follows an attempt by its published state. `show` gets a line for each stage. Returns the final state; `null` if the
 * job ended without one.
 * choice/gateway/394
 */
export async function followUpdate(
  { updateFiles, manager, stopwatch }: Followed,
  { attempt, job }: { attempt: string; job: string },
  show: (line: string) => void,
): Promise<UpdateState | null> {
  let shown: string | undefined;
  let askedAt = stopwatch.elapsed();
  for (;;) {
    // Asked before the state is read: a job that has ended writes no more.
    const isDue = stopwatch.elapsed() - askedAt >= askEveryMs;
    const hasEnded = isDue && ['inactive', 'failed'].includes((await manager.status(job)).state);
    if (isDue) askedAt = stopwatch.elapsed();
    const state = await updateFiles.readState();
    const isOurs = state.attempt === attempt;
    if (isOurs && !isUnfinished(state)) return state;
    if (hasEnded) return null;
    if (isOurs && state.stage !== shown) {
      show([state.stage, state.message].filter((text) => text !== undefined).join(': '));
      shown = state.stage;
    }
    await stopwatch.pause(readEveryMs);
  }
}
