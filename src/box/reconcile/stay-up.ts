import type { Project } from '../apps/project.ts';
import type { BoxPorts, ContainerState } from '../ports.ts';
import { listContainers } from './listing.ts';
import { ownContainers } from './running-images.ts';

const listEveryMs = 500;

/** Time limit for containers to start, and the time that they must then stay up. */
export type StayUpLimits = { withinMs: number; steadyForMs: number };

/** Ids of containers with a fault that the change did not cause. */
export type OldFaults = {
  unhealthy: ReadonlySet<string>;
  /** Docker may be restarting them. */
  looping: ReadonlySet<string>;
  /** Docker keeps the restart count of a container until the container is recreated or started by hand. */
  restarted: ReadonlySet<string>;
};

/** A project and the services that were started; `undefined` means all. */
export type StartedProject = Project & { services: readonly string[] | undefined; oldFaults: OldFaults };

export type ContainerFault = { container: ContainerState; problem: string };

/** `starting`: these containers were still starting at the time limit. */
export type StayUpVerdict =
  | { is: 'up' }
  | { is: 'starting'; containers: ContainerState[] }
  | { is: 'down'; faults: ContainerFault[] };

/**
 * Watches containers until each one runs, is healthy if it has a health check, and has stayed up for a moment. Lists
 * the containers on each round. Throws ContainersFailed if Docker stops answering.
 */
export async function watchContainers(
  box: Pick<BoxPorts, 'containers' | 'now' | 'pause'>,
  project: StartedProject,
  { withinMs, steadyForMs }: StayUpLimits,
): Promise<StayUpVerdict> {
  const started = box.now().getTime();
  let upSince: number | null = null;
  for (;;) {
    const containers = await startedContainers(box, project);
    const faults = faultsOf(containers, project);
    if (faults.length > 0) return { is: 'down', faults };
    const now = box.now().getTime();
    const isTimeOver = now - started >= withinMs;
    const starting = containers.filter(isStarting);
    upSince = starting.length > 0 ? null : (upSince ?? now);
    if (upSince !== null && (isTimeOver || now - upSince >= steadyForMs)) {
      return restartedVerdict(box, containers, project);
    }
    if (isTimeOver) return { is: 'starting', containers: starting };
    await box.pause(listEveryMs);
  }
}

async function startedContainers(
  box: Pick<BoxPorts, 'containers'>,
  { compose, services }: StartedProject,
): Promise<ContainerState[]> {
  const own = ownContainers(await listContainers(box), compose.project);
  return services === undefined ? own : own.filter(({ service }) => services.includes(service));
}

function isStarting({ state, health }: ContainerState): boolean {
  return state === 'created' || health === 'starting';
}

function faultsOf(containers: readonly ContainerState[], project: StartedProject): ContainerFault[] {
  return containers.flatMap((container) => {
    const problem = problemOf(container, project);
    return problem === null ? [] : [{ container, problem }];
  });
}

function problemOf(container: ContainerState, { facts, oldFaults }: StartedProject): string | null {
  const { id, name, service, state, exitCode, health } = container;
  const ended = exitCode === null ? 'ended' : `ended with status ${exitCode}`;
  if (state === 'restarting' && !oldFaults.looping.has(id)) {
    return `the container ${name} does not stay up: it ${ended}, and Docker starts it again and again`;
  }
  if (state === 'dead') return `the container ${name} does not stay up`;
  if (health === 'unhealthy' && !oldFaults.unhealthy.has(id)) return `the container ${name} is unhealthy`;
  if (state !== 'exited') return null;
  const mayEnd = exitCode === 0 && facts.services[service]?.restarts === false;
  return mayEnd ? null : `the container ${name} ${ended}`;
}

/** A container that Docker has restarted may look as if it had always run. */
async function restartedVerdict(
  box: Pick<BoxPorts, 'containers'>,
  containers: readonly ContainerState[],
  { oldFaults }: StartedProject,
): Promise<StayUpVerdict> {
  const images = await box.containers.inspect(containers.map(({ id }) => id));
  const faults = images.flatMap(({ id, restarts }) => {
    const container = containers.find((one) => one.id === id);
    if (container === undefined || restarts === 0 || oldFaults.restarted.has(id)) return [];
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    const problem = `the container ${container.name} does not stay up: Docker has started it again ${times}`;
    return [{ container, problem }];
  });
  return faults.length === 0 ? { is: 'up' } : { is: 'down', faults };
}
