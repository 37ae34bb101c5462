import type { UpdatePorts } from './ports.ts';
import { announcedRelease } from './release-check.ts';
import { isNewer } from './rules/release.ts';
import { type UpdateState, updateUnit } from './rules/update-state.ts';

/** The final state, or that another update holds the lock. */
export type UpdateEnd = UpdateState | { stage: 'already running'; reason?: string; message?: string };

/**
 * Runs one update from `checking` to its end, under the update lock, and writes down every stage. It waits a moment for
 * the lock: a server that tests it, or an owner's script, must not make an update end that was answered as started.
 *
 * This version finds out which version is the newest and goes no further: it does not download, verify, stage or
 * switch anything. An update to a newer version therefore ends in `rolled_back` with that reason, and nothing of
 * the box has changed.
 * box/update-state/5, box/update-state/7, choice/box/144, choice/box/145
 */
export async function runUpdate(box: Omit<UpdatePorts, 'jobs'>): Promise<UpdateEnd> {
  const lock = await box.updateFiles.lock();
  if (lock === null) return { stage: 'already running' };
  try {
    return await runStages(box);
  } finally {
    lock.release();
  }
}

async function runStages(box: Omit<UpdatePorts, 'jobs'>): Promise<UpdateState> {
  const startedAt = box.now().toISOString();
  let state: UpdateState = {
    attempt: crypto.randomUUID(),
    unit: updateUnit,
    from: box.version,
    started_at: startedAt,
  };
  const note = async (change: UpdateState) => {
    state = { ...state, ...change, updated_at: box.now().toISOString() };
    await box.updateFiles.writeState(state);
  };
  const end = async (stage: 'done' | 'rolled_back', change: UpdateState) => {
    // What was being done is over: its text would contradict the end.
    const { message: _, ...known } = state;
    state = known;
    await note({ ...change, stage, finished_at: box.now().toISOString() });
    return state;
  };

  await note({ stage: 'checking', message: 'asking the release feed for the newest version' });
  try {
    const release = await announcedRelease(box);
    if (!isNewer(release.version, box.version)) {
      const message = `version ${box.version} is the newest`;
      return await end('done', { to: box.version, outcome: 'unchanged', message });
    }
    const reason =
      `version ${release.version} is available, but version ${box.version} cannot install it by itself yet; ` +
      'install it as the first one was installed';
    return await end('rolled_back', { to: release.version, outcome: 'unchanged', reason });
  } catch (error) {
    return await end('rolled_back', { outcome: 'unchanged', reason: (error as Error).message });
  }
}
