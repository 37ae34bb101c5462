import { type Attempt, makeAttempt } from './attempt.ts';
import { type Plan, planUpdate } from './plan.ts';
import type { UpdaterPorts } from './ports.ts';
import { endInterrupted, removeRemains, rollBack } from './roll-back.ts';
import { fail } from './rules/update-failed.ts';
import { isUnfinished, type UpdateState } from './rules/update-state.ts';
import { switchOver } from './switch-over.ts';
import { finish, tidyBefore } from './tidy.ts';

/**
 * Runs one update from `checking` to its end, under the update lock, and publishes every stage. It waits a moment for
 * the lock, because a test of the lock must not end an update that was reported as started.
 *
 * Whatever fails, the version before runs afterwards. An interrupted attempt is ended, not repeated, because the
 * restart of a killed updater by the service manager is not a request for a second attempt. For the same reason a
 * finished attempt is not repeated.
 *
 * Returns the final state; its stage is `already running` if another update holds the lock.
 * Throws StorageFailed if the lock cannot be taken or the final state cannot be written.
 * box/update-state/5, box/update-state/7, choice/box/365, choice/box/135
 * @param id - names the attempt
 */
export async function runUpdate(ports: UpdaterPorts, id: string): Promise<UpdateState> {
  const lock = await ports.updateFiles.lock();
  if (lock === null) return { stage: 'already running' };
  try {
    const before = await ports.updateFiles.readState();
    if (isUnfinished(before)) return await endInterrupted(ports, makeAttempt(ports, before));
    const previous = await ports.software.previous();
    if (previous !== null) {
      // A manual installation was interrupted after its switch. It has written no state.
      const state = { ...newState(ports, id), from: previous, stage: 'restarting' };
      return await endInterrupted(ports, makeAttempt(ports, state));
    }
    if (before.attempt === id) {
      // A server has ended the attempt; it cannot write to the software folder.
      await removeRemains(ports);
      return before;
    }
    return await runAttempt(ports, id);
  } finally {
    lock.release();
  }
}

async function runAttempt(ports: UpdaterPorts, id: string): Promise<UpdateState> {
  const { version } = ports;
  const attempt = makeAttempt(ports, newState(ports, id));
  try {
    await attempt.note({ stage: 'checking', message: 'asking the release feed for the newest version' });
    await tidyBefore(ports);
    const plan = await planUpdate(ports, attempt);
    if (plan === null) {
      const message = `version ${version} is the newest`;
      return await attempt.end('done', { to: version, outcome: 'unchanged', message });
    }
    await fetchRelease(ports, attempt, plan);
    await switchOver(ports, attempt, plan);
  } catch (error) {
    // The service manager stops the updater's commands as well, so their failure is not the reason.
    return rollBack(ports, attempt, ports.stopSignal.reason ?? error);
  }
  return finish(ports, attempt);
}

/**
 * The stages `downloading`, `verifying` and `staging`: afterwards the new version is complete in the software folder
 * and able to run. The running version is not touched. Throws UpdateFailed and StorageFailed.
 * choice/box/131, choice/box/139, choice/box/365
 */
async function fetchRelease(ports: UpdaterPorts, attempt: Attempt, plan: Plan): Promise<void> {
  const { archives, product, software } = ports;
  const { to, archive } = plan;
  const { url, size, sha256, unpackedSize } = archive;

  const downloading = { stage: 'downloading', message: `downloading version ${to}` };
  await attempt.note({ ...downloading, bytes: 0, bytes_total: size, progress: 0 });
  const onBytes = (bytes: number) => attempt.noteProgress({ bytes, progress: bytes / size });
  await archives.download(url, { file: software.download, size, onBytes });

  const message = `comparing the archive of version ${to} with the one that was signed`;
  await attempt.note({ stage: 'verifying', message, bytes: size, progress: 1 });
  if ((await archives.digest(software.download)) !== sha256) {
    fail(
      `the archive of version ${to} is not the one that was signed: its SHA-256 differs; ` +
        'it was damaged on its way, or replaced; try again, and ask its publisher if it happens again',
    );
  }

  await attempt.note({ stage: 'staging', message: `unpacking version ${to}` });
  await archives.unpack(software.download, software.staging, unpackedSize);
  await software.checkStaged(to, [product.service, 'serve']);
  await software.place(to);
  await software.clear();
}

function newState({ version, now, product }: UpdaterPorts, id: string): UpdateState {
  return { attempt: id, unit: product.job, from: version, started_at: now().toISOString() };
}
