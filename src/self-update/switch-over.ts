import type { Attempt } from './attempt.ts';
import type { Plan } from './plan.ts';
import type { UpdaterPorts } from './ports.ts';
import { judgeHealth, type Look, steadyMs, whyUnhealthy } from './rules/health.ts';
import { fail } from './rules/update-failed.ts';

/** Time limit for a change of apps that runs before the switch. A slow image download can take most of it. */
const longestChangeSeconds = 30 * 60;
const lookEveryMs = 500;

/**
 * The stages `switching`, `restarting` and `health_check`: afterwards the new version is current, healthy and
 * committed. Throws UpdateFailed and StorageFailed; the switch then has to be rolled back.
 * choice/box/365
 */
export async function switchOver(ports: UpdaterPorts, attempt: Attempt, plan: Plan): Promise<void> {
  await switchVersion(ports, attempt, plan);
  const { to, unit } = plan;
  await attempt.note({ stage: 'restarting', message: `restarting ${unit} with version ${to}` });
  await ports.manager.restart(unit);
  await attempt.note({ stage: 'health_check', message: `waiting until version ${to} answers` });
  const problem = await waitUntilHealthy(ports, unit, to, ports.stopSignal);
  if (problem !== null) fail(`version ${to} ${problem}; journalctl -u ${unit} says more`);
  await ports.software.commit();
}

/** A change of an app holds a lock in the state directory of a box, and the switch waits for it. */
async function switchVersion({ product, lockChanges, software }: UpdaterPorts, attempt: Attempt, { to }: Plan) {
  const message = `making version ${to} the current one`;
  const isBox = product.service === 'box';
  await attempt.note({
    stage: 'switching',
    message: isBox ? `${message} as soon as no app is being changed` : message,
  });
  const lock = isBox ? await lockChanges(longestChangeSeconds) : { release() {} };
  if (lock === null) {
    const minutes = longestChangeSeconds / 60;
    fail(`the change of an app has been in progress for ${minutes} minutes; try again when it has finished`);
  }
  try {
    await software.switchTo(to);
  } finally {
    lock.release();
  }
}

/**
 * The reason why a started version is not healthy; `null` if it is.
 * @param stop - ends the wait with its reason
 */
export async function waitUntilHealthy(
  ports: UpdaterPorts,
  unit: string,
  version: string,
  stop?: AbortSignal,
): Promise<string | null> {
  const { stopwatch, waitSeconds } = ports;
  const looks: Look[] = [];
  const begin = stopwatch.elapsed();
  for (;;) {
    stop?.throwIfAborted();
    looks.push(await lookAt(ports, unit, stopwatch.elapsed() - begin));
    const health = judgeHealth(looks, version);
    if (health === 'healthy') return null;
    const isLate = stopwatch.elapsed() - begin > waitSeconds * 1000 + steadyMs;
    if (health === 'ended' || isLate) return whyUnhealthy(looks, version);
    await stopwatch.pause(lookEveryMs);
  }
}

/** Reads the address each time, because the previous server may have had another one. */
async function lookAt(ports: UpdaterPorts, unit: string, at: number): Promise<Look> {
  const { state, pid, restarts } = await ports.manager.status(unit);
  const running = await ports.updateFiles.readRunning();
  const answer =
    running === null
      ? { problem: 'it has not written running.json', status: 0, server: '' }
      : await ports.ask(running.address);
  return { at, state, pid, restarts, answer };
}
