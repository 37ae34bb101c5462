import type { Project } from '../app-files/project.ts';
import { staleServices } from '../app-files/stale-services.ts';
import { type AppRecord, ContainersFailed, type Core, type OnProgress } from '../core.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import { hasBuilt } from '../rules/compose/project-model.ts';
import { refuseMissingDisk } from './disks.ts';
import { lookAtContainers } from './observer.ts';
import type { EngineBox } from './ports.ts';
import { type Container, halfReplaced, hasDoneItsWork, ownContainers, withoutNetwork } from './rules/container.ts';
import { startSteps } from './rules/start-order.ts';
import { startInOrder, stopContainers } from './stop-and-start.ts';
import { removeChangedVolumes } from './volume-changes.ts';

/** A project to bring up. `before` are the containers before that, `only` the services; all without it. `discarded`: volumes whose data is not needed. */
export type BringUp = {
  project: Project;
  before: readonly Container[];
  record: AppRecord | undefined;
  only?: readonly string[] | undefined;
  discarded?: readonly string[];
  onProgress?: OnProgress;
};

/**
 * Brings up a project, or some of its services, and what Compose does not count as a change: services whose configs,
 * secrets or mounted files changed since the record are recreated, volumes whose options lead elsewhere are made anew, and services that a profile has switched off are
 * removed. Throws ContainersFailed, and does nothing, if a disk with a folder of the app is missing.
 */
export async function bringUp(
  box: EngineBox,
  { project, before, record, only, discarded, onProgress }: BringUp,
): Promise<void> {
  const { compose } = project;
  refuseMissingDisk(box, project);
  onProgress?.({ step: 'starting' });
  await box.containers.removeContainers(halfReplaced(before, compose.project).map(({ id }) => id));
  const paused = ownContainers(before, compose.project).filter(({ state }) => state === 'paused');
  await box.containers.unpause(paused.map(({ id }) => id));
  await removeChangedVolumes(box, project, before, discarded);
  await upServices(box, project, { before, only, onProgress });
  const stale = staleServices(box, project, record).filter((service) => only?.includes(service) ?? true);
  if (stale.length > 0) await recreateLeft(box, project, before, stale, onProgress);
  if (before.some(({ networkOf }) => networkOf !== null)) await startInNetwork(box, compose.project);
  const off = switchedOff(project, before, record);
  if (off.length > 0) await removeLeft(box, project, off);
}

/** Time for containers to become healthy on which others wait. */
const longestMs = 5 * 60_000;

/**
 * Has Compose create and start what is needed. It would also run jobs again that have done their work, which may fail
 * then; if nothing else is left to run before a service, it creates only, and the services are started here.
 */
async function upServices(
  box: Pick<EngineBox, 'containers' | 'observer' | 'now' | 'pause'>,
  { compose, model: { services } }: Project,
  { before, only, onProgress }: Pick<BringUp, 'before' | 'only'> & { onProgress: OnProgress | undefined },
): Promise<void> {
  const jobs = new Set(Object.values(services).flatMap(({ after }) => after));
  const own = ownContainers(before, compose.project);
  const done = new Set(own.filter((one) => jobs.has(one.service) && hasDoneItsWork(one)).map(({ id }) => id));
  if (done.size > 0) {
    await box.containers.up(compose, only, { start: false, onProgress });
    const left = ownContainers(await lookAtContainers(box), compose.project).filter(({ id, service, state }) => {
      const isAsked = only?.includes(service) ?? Object.hasOwn(services, service);
      return isAsked && !isActive({ state }) && !done.has(id);
    });
    if (!left.some(({ service }) => jobs.has(service))) {
      const failure = await startInOrder(box, startSteps(left, true), longestMs);
      if (failure !== null) throw new ContainersFailed(failure, false);
      return;
    }
  }
  await box.containers.up(compose, only, { onProgress });
}

/** Starts containers again that lost the network of another one. */
async function startInNetwork(box: Pick<Core, 'containers' | 'observer'>, project: string): Promise<void> {
  const lost = withoutNetwork(ownContainers(await lookAtContainers(box), project));
  await stopContainers(box, lost);
  await box.containers.start(lost.map(({ id }) => id));
}

/** Recreates those services whose containers are still the ones of before. */
async function recreateLeft(
  box: Pick<Core, 'containers' | 'observer'>,
  { compose }: Project,
  before: readonly Container[],
  services: readonly string[],
  onProgress: OnProgress | undefined,
): Promise<void> {
  const known = new Set(before.map(({ id }) => id));
  const now = ownContainers(await lookAtContainers(box), compose.project);
  const left = services.filter((service) => now.some((one) => one.service === service && known.has(one.id)));
  if (left.length > 0) await box.containers.up(compose, left, { recreate: true, onProgress });
}

/** Containers of the last success that no active profile has now. One that the owner started by hand stays. */
function switchedOff(
  { compose, model, problem }: Project,
  before: readonly Container[],
  record: AppRecord | undefined,
): Container[] {
  const wasOn = record?.model?.services;
  if (problem !== null || wasOn === undefined) return [];
  const isOff = ({ service }: Container) => Object.hasOwn(wasOn, service) && !Object.hasOwn(model.services, service);
  return ownContainers(before, compose.project).filter(isOff);
}

/** Removes those of these containers that are there: Compose has removed the ones whose service the files have no more. */
async function removeLeft(box: EngineBox, { compose }: Project, off: readonly Container[]): Promise<void> {
  const there = new Map((await lookAtContainers(box)).map((one) => [one.id, one]));
  const left = off.flatMap(({ id }) => there.get(id) ?? []);
  if (left.length === 0) return;
  // Another program could take a published port meanwhile.
  await box.addresses.hold(compose.directory);
  try {
    await stopContainers(box, left);
    await box.containers.removeContainers(left.map(({ id }) => id));
  } finally {
    await box.addresses.release(compose.directory);
  }
}

/** Builds the images of the project that are built on this machine. */
export async function buildImages(box: EngineBox, { compose, model }: Project): Promise<void> {
  if (!hasBuilt(model)) return;
  box.operations.report({ step: 'building' });
  await box.containers.build(compose, undefined, box.operations.report);
}
