import { listContainers } from './listing.ts';
import type { BoxPorts, ContainerState } from './ports.ts';
import type { Project } from './project.ts';
import { ownContainers } from './running-images.ts';

const lookEveryMs = 500;

/** How long containers may take to start, and how long they must then stay up. */
export type StayUpLimits = { withinMs: number; steadyForMs: number };

/** Ids of containers that had a fault before, which the change did not cause. */
export type FaultyContainers = { unhealthy: ReadonlySet<string>; restarted: ReadonlySet<string> };

/** A project and those of its services that were started; `undefined` means all. */
export type StartedProject = Project & {
  services: readonly string[] | undefined;
  faulty: FaultyContainers;
};

/** `starting`: the container was still starting when the time was over. */
export type StayUpVerdict =
  | { is: 'up' }
  | { is: 'starting'; container: ContainerState }
  | { is: 'down'; container: ContainerState; problem: string };

/**
 * Watches containers until each one runs, is healthy if it has a health check, and has stayed up for a moment. One
 * listing a look. Throws ContainersFailed if Docker stops answering.
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
    const down = firstDown(containers, project);
    if (down !== null) return down;
    const now = box.now().getTime();
    const waiting = containers.find(({ state, health }) => state === 'created' || health === 'starting');
    if (waiting !== undefined) upSince = null;
    else upSince ??= now;
    if (upSince !== null && now - upSince >= steadyForMs) break;
    if (waiting !== undefined && now - started > withinMs) return { is: 'starting', container: waiting };
    await box.pause(lookEveryMs);
  }
  return (await firstRestarted(box, project)) ?? { is: 'up' };
}

async function startedContainers(
  box: Pick<BoxPorts, 'containers'>,
  { compose, services }: StartedProject,
): Promise<ContainerState[]> {
  const own = ownContainers(await listContainers(box), compose.project);
  return services === undefined ? own : own.filter(({ service }) => services.includes(service));
}

function firstDown(containers: readonly ContainerState[], project: StartedProject): StayUpVerdict | null {
  for (const container of containers) {
    const problem = problemOf(container, project);
    if (problem !== null) return { is: 'down', container, problem };
  }
  return null;
}

/** A fault that a container had before does not count: the change did not cause it. */
function problemOf(container: ContainerState, { facts, faulty }: StartedProject): string | null {
  const { id, name, service, state, exitCode, health } = container;
  if (health === 'unhealthy' && !faulty.unhealthy.has(id)) return `the container ${name} is unhealthy`;
  const isLooping = state === 'restarting' && !faulty.restarted.has(id);
  if (isLooping || state === 'dead') return `the container ${name} does not stay up`;
  if (state !== 'exited') return null;
  const mayEnd = exitCode === 0 && facts.services[service]?.restarts === false;
  return mayEnd ? null : `the container ${name} ended with status ${exitCode}`;
}

/** A container that Docker has had to start again may look as if it ran. */
async function firstRestarted(
  box: Pick<BoxPorts, 'containers'>,
  project: StartedProject,
): Promise<StayUpVerdict | null> {
  const containers = await startedContainers(box, project);
  const images = await box.containers.inspect(containers.map(({ id }) => id));
  const restarted = images.find(({ id, restarts }) => restarts > 0 && !project.faulty.restarted.has(id));
  const container = containers.find(({ id }) => id === restarted?.id);
  if (container === undefined) return null;
  return { is: 'down', container, problem: `the container of ${container.service} does not stay up` };
}
