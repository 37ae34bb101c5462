import { ignore } from '../lib/ignore.ts';
import { JobFailed, type UpdatePorts } from '../self-update/ports.ts';
import { announcedRelease } from '../self-update/release-check.ts';
import { NoReleaseFeed, UpdateFailed } from '../self-update/rules/update-failed.ts';
import { updateUnit } from '../self-update/rules/update-state.ts';
import { refuse } from './api/refusals.ts';
import { StorageFailed } from './core.ts';

/** The command that a self-update runs as a job, and its environment. */
export type SelfUpdateJob = { command: readonly string[]; variables: Record<string, string> };

export type SelfUpdateParts = { selfUpdate: UpdatePorts & SelfUpdateJob };

type UpdateCheck = { current: string; latest: string; update_available: boolean };

/**
 * The running version and the version that the release feed announces. A failed feed is a refusal.
 * box/service/26, box/checkSelfUpdate/1-5, box/versioning/3
 */
export async function checkSelfUpdate(box: UpdatePorts): Promise<UpdateCheck> {
  // Loaded on first use, because serving needs no comparison of versions.
  const { isNewer } = await import('../self-update/rules/release.ts');
  const release = await announcedRelease(box).catch((error: unknown) => {
    if (!(error instanceof UpdateFailed)) throw error;
    if (error instanceof NoReleaseFeed) refuse('noReleaseFeed');
    refuse('updateCheckFailed', { reason: error.message });
  });
  return { current: box.version, latest: release.version, update_available: isNewer(release.version, box.version) };
}

/**
 * Starts an update as a job that outlives this process, and does not wait for its end. The lock is tested first, to
 * report a running update. If two starts pass the test, the unit's name refuses the second one. A lock that cannot be
 * tested counts as a failed start.
 * box/service/27, box/applySelfUpdate/1-5, box/post-rules/7, box/post-rules/15-18, choice/box/135
 */
export async function applySelfUpdate(
  box: UpdatePorts & SelfUpdateJob,
): Promise<{ status: 'dispatched'; unit: string }> {
  const lock = await box.updateFiles.tryLock().catch(ignore(StorageFailed, notStarted));
  if (lock === null) refuse('updateRunning');
  lock.release();
  // The attempt id lets a restarted job find its earlier run in the state file, and so recognize that it was killed.
  const variables = { ...box.variables, BOX_UPDATE_ATTEMPT: crypto.randomUUID() };
  const start = await box.manager.start(updateUnit, box.command, variables).catch(ignore(JobFailed, notStarted));
  if (start === 'already running') refuse('updateRunning');
  return { status: 'dispatched', unit: updateUnit };
}

const notStarted = ({ message }: Error) => refuse('updateStartFailed', { reason: message });
