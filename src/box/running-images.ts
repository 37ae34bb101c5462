import {
  type AppRecord,
  type BoxPorts,
  type ContainerImage,
  type ContainerState,
  ContainersFailed,
} from './ports.ts';
import { otherOwner, type Project } from './project.ts';
import { serviceTag } from './rules/compose-file.ts';
import type { RunningImage } from './rules/image-changes.ts';

/** The images of a project's containers, each with the reference that its service names now. */
export async function runningImages(
  box: BoxPorts,
  project: Project,
  record: AppRecord | undefined,
): Promise<RunningImage[]> {
  const images = (await recordedImages(box, project, record)) ?? (await listedImages(box, project));
  return images.map(({ service, imageId, tag }) => ({
    service,
    imageId,
    tag: serviceTag(project.facts, service, project.env) ?? tag,
  }));
}

export function ownContainers(containers: readonly ContainerState[], project: string): ContainerState[] {
  return containers.filter((container) => container.project === project && !container.oneOff);
}

/**
 * An app that is what it was at its last success has the containers that it had then: asked for by name, they need
 * no listing. Null when one of them is gone or not the app's any more.
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
      ({ project, workingDirectory }) =>
        project === compose.project && workingDirectory === compose.directory,
    );
    return isOwn ? images : null;
  } catch (error) {
    if (error instanceof ContainersFailed && !error.unreachable) return null;
    throw error;
  }
}

async function listedImages(box: BoxPorts, { compose }: Project): Promise<ContainerImage[]> {
  const containers = await box.containers.list();
  const owner = otherOwner(box, containers, compose);
  if (owner !== null) throw new ContainersFailed(`the project ${compose.project} is that of ${owner}`, false);
  return box.containers.inspect(ownContainers(containers, compose.project).map(({ id }) => id));
}
