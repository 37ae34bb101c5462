import { otherOwner, type PlannedProject, type Project } from '../apps/project.ts';
import {
  type AppRecord,
  type BoxPorts,
  type ComposeProject,
  type ContainerImage,
  type ContainerState,
  ContainersFailed,
} from '../ports.ts';
import { serviceTag } from '../rules/compose/compose-file.ts';
import type { RunningImage } from '../rules/compose/image-changes.ts';
import { listContainers } from './listing.ts';

/** A service's container before an update, with the reference that the service names now. */
export type RunningService = RunningImage & Pick<ContainerImage, 'id' | 'state' | 'restarts'>;

async function runningImages(
  box: BoxPorts,
  project: Project,
  record: AppRecord | undefined,
): Promise<RunningService[]> {
  const images = (await recordedImages(box, project, record)) ?? (await listedImages(box, project));
  return images.map(({ id, service, imageId, tag, state, restarts }) => ({
    id,
    service,
    imageId,
    tag: serviceTag(project.facts, service, project.env) ?? tag,
    state,
    restarts,
  }));
}

/** Inspects the running images while newer ones are pulled: a pull moves tags but changes no container. */
export async function pullAndInspect(
  box: BoxPorts,
  old: Project,
  record: AppRecord | undefined,
  pulled: PlannedProject = old,
): Promise<RunningService[]> {
  box.operations.report({ step: 'pulling' });
  const [inspection, pull] = await Promise.allSettled([
    runningImages(box, old, record),
    box.containers.pull(pulled.compose, hasBuilt(pulled), box.operations.report),
  ]);
  if (inspection.status === 'rejected') throw inspection.reason;
  if (pull.status === 'rejected') throw pull.reason;
  return inspection.value;
}

function hasBuilt({ facts }: PlannedProject): boolean {
  return !facts.complete || Object.values(facts.services).some(({ built }) => built);
}

export function ownContainers(containers: readonly ContainerState[], project: string): ContainerState[] {
  return containers.filter((container) => container.project === project && !container.oneOff);
}

/**
 * The containers of the last success, if the app is unchanged since. They are inspected by name, without a listing.
 * `null` if one is missing or no longer the app's.
 */
async function recordedImages(
  box: BoxPorts,
  { compose, digest }: Project,
  record: AppRecord | undefined,
): Promise<ContainerImage[] | null> {
  if (record === undefined || record.succeeded !== digest || record.containers.length === 0) return null;
  try {
    const images = await box.containers.inspect(record.containers);
    const isOwn = images.every(
      ({ project, workingDirectory }) => project === compose.project && workingDirectory === compose.directory,
    );
    return isOwn ? images : null;
  } catch (error) {
    if (error instanceof ContainersFailed && !error.unreachable) return null;
    throw error;
  }
}

async function listedImages(box: BoxPorts, project: Project): Promise<ContainerImage[]> {
  const { compose } = project;
  const containers = await listContainers(box);
  const owner = otherOwner(box, containers, compose);
  if (owner !== null) throw new ContainersFailed(`the project ${compose.project} is that of ${owner}`, false);
  const own = ownContainers(containers, compose.project);
  if (own.length === 0) return askedImages(box, project);
  return box.containers.inspect(own.map(({ id }) => id));
}

/** Asks Compose for the containers. Needed for container tools whose listing does not name the project. */
async function askedImages(box: BoxPorts, { compose, facts }: Project): Promise<ContainerImage[]> {
  const images: ContainerImage[] = [];
  for (const service of Object.keys(facts.services)) {
    const found = await box.containers.inspect(await askedContainers(box, compose, service));
    images.push(...found.map((image) => ({ ...image, service })));
  }
  return images;
}

/** Compose does not know a service of an inactive profile. Any other error is a failure of the tool. */
async function askedContainers(box: BoxPorts, compose: ComposeProject, service: string): Promise<string[]> {
  try {
    return await box.containers.serviceContainers(compose, service);
  } catch (error) {
    if (error instanceof ContainersFailed && /no such service/i.test(error.message)) return [];
    throw error;
  }
}
