import type { Attempt } from './attempt.ts';
import { unitOf } from './plan.ts';
import type { UpdaterPorts } from './ports.ts';
import { interruptedState, type UpdateState } from './rules/update-state.ts';
import { waitUntilHealthy } from './switch-over.ts';
import { finish } from './tidy.ts';

const beforeRestart = ['checking', 'downloading', 'verifying', 'staging', 'switching'];

/**
 * Ends a failed attempt: starts the previous version again and removes the attempt's files. The files are removed
 * before the final state is written, because that may need their space. Throws StorageFailed if that state cannot be
 * written.
 * choice/box/131, choice/box/365
 */
export async function rollBack(ports: UpdaterPorts, attempt: Attempt, error: Error): Promise<UpdateState> {
  const { software, version } = ports;
  const state = attempt.state();
  if (await isCommitted(ports, state)) return finish(ports, attempt);
  const isSwitched = (await software.previous()) !== null;
  const problem = isSwitched ? await goBack(ports, state) : null;
  await removeRemains(ports);
  if (!isSwitched) return attempt.end('rolled_back', { outcome: 'unchanged', reason: error.message });
  return attempt.end('rolled_back', {
    outcome: 'reverted',
    reason: problem === null ? error.message : `${error.message}; ${problem}`,
    ...(problem === null ? { message: `version ${version} runs again` } : {}),
  });
}

/**
 * Ends the attempt of an updater that was killed: as `done` if its switch was committed, else by going back to the
 * previous version. Never continues the interrupted attempt. Throws StorageFailed.
 * choice/box/135
 */
export async function endInterrupted(ports: UpdaterPorts, attempt: Attempt): Promise<UpdateState> {
  const state = attempt.state();
  if (await isCommitted(ports, state)) return finish(ports, attempt, { prune: false });
  const problem = await goBack(ports, state);
  await removeRemains(ports);
  const current = await ports.software.current();
  const isBefore = current !== null && current !== state.to;
  const end = interruptedState(state, isBefore ? current : (state.from ?? ports.version), ports.now());
  return attempt.end('rolled_back', {
    ...end,
    message: [end.message, problem].filter((part) => part !== null).join('; '),
  });
}

/** Before the health check, the version may be current because somebody has installed it by hand. */
async function isCommitted({ software }: UpdaterPorts, { stage, to }: UpdateState): Promise<boolean> {
  if (stage !== 'health_check' || to === undefined || (await software.previous()) !== null) return false;
  return (await software.current()) === to;
}

/** Switches to the previous version, and restarts the service if it may run the new version. Returns the failures. */
async function goBack(ports: UpdaterPorts, { stage = '' }: UpdateState): Promise<string | null> {
  const { software, manager } = ports;
  try {
    if ((await software.previous()) !== null) await software.rollBack();
    const version = await software.current();
    const unit = await unitOf(ports);
    if (beforeRestart.includes(stage) || version === null || unit === null) return null;
    const { command } = await manager.status(unit);
    // The file that names the unit may be forged, too.
    if (ports.unit === null && !command.includes(`${software.path}/current/`)) return null;
    // systemd may refuse the first restart because the unit has just failed again. The second restart resets
    // systemd's counter first.
    await manager.restart(unit).catch(() => manager.restart(unit));
    const problem = await waitUntilHealthy(ports, unit, version);
    if (problem === null) return null;
    return `version ${version}, which was started again, ${problem}; journalctl -u ${unit} shows why`;
  } catch (error) {
    return `the version before could not be started again: ${(error as Error).message}`;
  }
}

/** Removes the files of the update, and the new version unless it is current. The next update removes the rest. */
export async function removeRemains({ software }: UpdaterPorts): Promise<void> {
  try {
    await software.clear();
    await software.discard();
  } catch {
    // A failure here is ignored, because the owner has to read the reason of the roll-back.
  }
}
