import { type BoxPorts, type ContainerState, ContainersFailed } from '../ports.ts';
import { type OldFaults, type StartedProject, type StayUpLimits, watchContainers } from './stay-up.ts';

/** New images may bring data migrations, which take minutes. */
const limits: StayUpLimits = { withinMs: 5 * 60_000, steadyForMs: 2000 };

/** Faults that containers had before an update. */
export function oldFaultsOf(
  containers: readonly ContainerState[],
  images: readonly { id: string; restarts: number }[],
): OldFaults {
  const unhealthy = containers.filter(({ health }) => health === 'unhealthy');
  const restarted = new Set(images.filter(({ restarts }) => restarts > 0).map(({ id }) => id));
  return {
    unhealthy: new Set(unhealthy.map(({ id }) => id)),
    looping: restarted,
    restarted,
  };
}

/** Waits until the containers of an update stay up; throws ContainersFailed if they do not. choice/box/122 */
export async function waitUntilUp(box: BoxPorts, project: StartedProject): Promise<void> {
  box.operations.report({ step: 'verifying' });
  const verdict = await watchContainers(box, project, limits);
  if (verdict.is === 'down') throw new ContainersFailed(verdict.faults[0]?.problem ?? '', false);
  if (verdict.is === 'up') return;
  const problem = `the container ${verdict.containers[0]?.name} did not become healthy in time`;
  throw new ContainersFailed(problem, false);
}
