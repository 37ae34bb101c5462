import { type Project, refuseOtherOwner } from '../app-files/project.ts';
import { type AppRecord, ContainersFailed } from '../core.ts';
import { bringUp } from '../engine/bring-up.ts';
import { refuseMissingDisk, rememberDisks } from '../engine/disks.ts';
import { lookAtContainers } from '../engine/observer.ts';
import { type Container, otherProjectsText, ownContainers } from '../engine/rules/container.ts';
import { stillStarting, watchContainers, withLog } from '../engine/stay-up.ts';
import {
  comparedContainers,
  type ImageChange,
  imageChanges,
  type RunningImage,
} from '../rules/compose/image-changes.ts';
import { hasBuilt } from '../rules/compose/project-model.ts';
import type { AppsBox } from './ports.ts';

/** A service's container before an update, with the reference that the service names now. */
export type RunningService = Container & RunningImage;

/**
 * Looks at the containers. Throws ContainersFailed if they are unknown or belong to another folder, if other projects run
 * from the app's folder, whose data a roll-back would exchange, and if a disk of the app is missing.
 */
export async function containersBefore(box: AppsBox, project: Project) {
  const { containers: all, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  refuseOtherOwner(box, all, project.compose);
  const others = otherProjectsText(all, project.compose);
  if (others !== null) throw new ContainersFailed(`${project.app} is not updated: ${others}`, false);
  refuseMissingDisk(box, project);
  return { all, own: taggedBy(project, ownContainers(all, project.compose.project)) };
}

/** The containers of services that a project has, each with the reference that its service names. */
function taggedBy({ model, problem }: Project, containers: readonly Container[]): RunningService[] {
  return containers
    .filter(({ service }) => problem !== null || Object.hasOwn(model.services, service))
    .map((one) => ({ ...one, tag: model.services[one.service]?.image ?? one.image }));
}

export async function imageChangesOf(
  box: AppsBox,
  running: readonly RunningService[],
  project: Project,
): Promise<ImageChange[]> {
  const tagged = taggedBy(project, running);
  const localIds = await box.containers.imageIds([...new Set(tagged.map(({ tag }) => tag))]);
  return imageChanges(comparedContainers(tagged), localIds);
}

export async function pullImages(box: AppsBox, { compose, model, problem }: Project): Promise<void> {
  box.operations.report({ step: 'pulling' });
  await box.containers.pull(compose, problem !== null || hasBuilt(model), box.operations.report);
}

/** `services`: those to bring up; `null` means all. */
type Renewal = {
  app: string;
  project: Project;
  record: AppRecord | undefined;
  before: readonly Container[];
  services: readonly string[] | null;
  onUp(): void;
};

/**
 * Brings up services with new images and waits until they stay up. Throws ContainersFailed with the end of a log if
 * they do not. Returns a text for each service that is still starting. choice/box/122
 */
export async function renewContainers(
  box: AppsBox,
  { app, project, record, before, services, onUp }: Renewal,
): Promise<string[]> {
  await bringUp(box, { project, before, record, only: services ?? undefined, onProgress: box.operations.report });
  onUp();
  box.operations.report({ step: 'verifying' });
  const seen = await watchContainers(box, { project: project.compose.project, before, by: 'update' });
  await rememberDisks(box, [[app, project]]);
  if (seen.faults[0] !== undefined) throw new ContainersFailed(await withLog(box, app, seen.faults[0]), false);
  const now = box.now().getTime();
  return seen.starting.map((one) => `${one.service}: ${stillStarting(one, now)}`);
}

/** Brings the services up with their old images, without the `discarded` volumes of the version that failed. */
export async function restoreContainers(
  box: AppsBox,
  project: Project,
  record: AppRecord | undefined,
  images: readonly { from: string; tag: string }[],
  services: readonly string[] | null,
  discarded: readonly string[],
): Promise<void> {
  for (const { from, tag } of images) await box.containers.tag(from, tag);
  await bringUp(box, { project, before: await lookAtContainers(box), record, only: services ?? undefined, discarded });
  await box.observer.look();
}
