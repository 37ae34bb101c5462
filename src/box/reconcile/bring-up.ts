import type { Project } from '../apps/project.ts';
import type { BoxPorts, ContainerState, OnProgress } from '../ports.ts';
import { serviceOfContainer } from '../rules/compose/compose-file.ts';
import type { ContainerChange } from '../rules/reconcile/actions.ts';
import { halfReplaced } from '../rules/reconcile/interrupted-recreate.ts';
import { containerEvents } from '../rules/reconcile/up-output.ts';
import { listContainers } from './listing.ts';

export type NamedChange = ContainerChange & { name: string };

/**
 * Brings up a project, or some of its services. The changes come from Compose's output, or from a second listing if
 * there is no output.
 */
export async function bringUp(
  box: Pick<BoxPorts, 'containers'>,
  { compose, facts, env }: Project,
  before: readonly ContainerState[],
  only?: readonly string[],
  onProgress?: OnProgress,
): Promise<NamedChange[]> {
  onProgress?.({ step: 'starting' });
  await box.containers.removeContainers(halfReplaced(before, compose.project).map(({ id }) => id));
  const events = containerEvents(await box.containers.up(compose, only, onProgress));
  if (events.size === 0) return differences(before, await listContainers(box), compose.project);
  const services = new Map(before.map(({ name, service }) => [name, service]));
  return [...events].map(([name, event]) => ({
    name,
    // Compose also prints `Created` for an existing container that it starts again.
    event: event === 'created' && services.has(name) ? 'started' : event,
    service: services.get(name) || serviceOfContainer(name, compose.project, facts, env),
  }));
}

function differences(
  before: readonly ContainerState[],
  after: readonly ContainerState[],
  project: string,
): NamedChange[] {
  return after
    .filter((container) => container.project === project && !container.oneOff)
    .map((container) => {
      const { name, service } = container;
      const earlier = before.find((one) => one.name === name);
      if (earlier === undefined) return { name, service, event: 'created' };
      if (earlier.id !== container.id) return { name, service, event: 'recreated' };
      return { name, service, event: earlier.state === container.state ? 'running' : 'started' };
    });
}
