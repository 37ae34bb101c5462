import { wasStarted } from './actions.ts';
import { type Container, hasDoneItsWork, ownContainers } from './container.ts';

export type ContainerFault = { container: Container; problem: string };

/** A project that was brought up, and the containers of all projects before that. */
export type BroughtUp = { project: string; before: readonly Container[]; by: 'change' | 'update' };

/**
 * The containers of a project that do not stay up: they end, restart or become unhealthy. After an update, faults that
 * the same container had before are ignored. A container that stayed stopped is no fault.
 * choice/box/122, choice/box/275
 */
export function faultsOf(containers: readonly Container[], { project, before, by }: BroughtUp): ContainerFault[] {
  const earlier = new Map(before.map((container) => [container.id, container]));
  return ownContainers(containers, project).flatMap((container) => {
    const problem = problemOf(container, earlier.get(container.id), by);
    return problem === null ? [] : [{ container, problem }];
  });
}

/** `earlier` is the same container before. */
function problemOf(container: Container, earlier: Container | undefined, by: BroughtUp['by']): string | null {
  const { name, state, exitCode, health, restartCount } = container;
  const old = by === 'update' ? earlier : undefined;
  const wasLooping = Number(old?.restartCount) > 0;
  if (state === 'restarting' && !wasLooping) {
    return `${name} does not stay up: it ended with status ${exitCode}, and Docker starts it again and again`;
  }
  if (state === 'dead') return `${name} does not stay up`;
  if (health === 'unhealthy' && old?.health !== 'unhealthy') return `${name} is unhealthy`;
  if (state === 'exited') {
    const isLeft = earlier?.state === 'exited' && !wasStarted(earlier, container);
    return isLeft || hasDoneItsWork(container) ? null : `${name} ended with status ${exitCode}`;
  }
  // A container that Docker has restarted may look as if it had always run.
  const known = earlier?.state === 'running' ? earlier.restartCount : 0;
  if (restartCount <= known || wasLooping) return null;
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  return `${name} does not stay up: Docker has started it again ${times}`;
}

export function onePerService(faults: readonly ContainerFault[]): ContainerFault[] {
  const firstOf = (service: string) => faults.findIndex(({ container }) => container.service === service);
  return faults.filter(({ container }, index) => firstOf(container.service) === index);
}
