import type { components } from '../../api/api.gen.ts';
import type { ServiceModel } from './project-model.ts';

export type ImageChange = components['schemas']['ImageChange'];

/** A container's image, and the reference that its service names. */
export type RunningImage = { service: string; imageId: string; tag: string };

/** Whether a container runs, is paused, or is being restarted by Docker. should/box/240 */
export function isActive({ state }: { state: string }): boolean {
  return ['running', 'restarting', 'paused'].includes(state);
}

/**
 * The containers that an update compares: the active ones, and those that a killed update has stopped but not replaced.
 * Such a container has a replacement in the state `created`. should/box/240
 */
export function comparedContainers<One extends { service: string; state: string }>(containers: readonly One[]): One[] {
  const replaced = new Set(containers.filter(({ state }) => state === 'created').map(({ service }) => service));
  return containers.filter((one) => isActive(one) || replaced.has(one.service));
}

type Services = Readonly<Record<string, Partial<Pick<ServiceModel, 'after'>>>>;

/**
 * The services that an update may start: those with an active container, and the jobs that must end before one of these
 * starts. A container in the state `created` counts too, because a killed update left it behind. `null` means all
 * services: none is stopped and each has a container. should/box/240
 */
export function servicesToStart(
  containers: readonly { service: string; state: string }[],
  services: Services,
): string[] | null {
  const started = new Set(
    containers.filter((one) => isActive(one) || one.state === 'created').map(({ service }) => service),
  );
  const named = [...Object.keys(services), ...containers.map(({ service }) => service)];
  if (named.every((service) => started.has(service))) return null;
  // The loop also visits the jobs that it adds, because a job may depend on jobs.
  for (const service of started) for (const job of services[service]?.after ?? []) started.add(job);
  return [...started].sort();
}

/** `servicesToStart` for a new Compose file, with new services. Empty if nothing of the app runs. choice/box/304 */
export function servicesToUpgrade(
  containers: readonly { service: string; state: string }[],
  before: Services,
  after: Services,
): string[] | null {
  if (!containers.some((one) => isActive(one) || one.state === 'created')) return [];
  const known = new Set([...Object.keys(before), ...containers.map(({ service }) => service)]);
  const added = Object.keys(after).filter((service) => !known.has(service));
  const left = containers.filter(({ service }) => Object.hasOwn(after, service));
  return servicesToStart([...left, ...added.map((service) => ({ service, state: 'created' }))], after);
}

/**
 * The services whose containers have another image than the local one of their tag: one record a service, sorted by
 * name. A service without a container, or without a local image of its tag, is not compared.
 * box/image-change/1-5, box/post-rules/6, box/post-rules/12
 */
export function imageChanges(running: readonly RunningImage[], localIds: ReadonlyMap<string, string>): ImageChange[] {
  const changes = new Map<string, ImageChange>();
  for (const { service, imageId, tag } of running) {
    const localId = localIds.get(tag);
    if (localId === undefined || localId === imageId || changes.has(service)) continue;
    changes.set(service, { service, from: imageId, to: localId, tag });
  }
  return [...changes.values()].sort((a, b) => (a.service < b.service ? -1 : 1));
}
