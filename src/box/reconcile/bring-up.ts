import type { Project } from '../apps/project.ts';
import { staleServices } from '../apps/stale-services.ts';
import type { AppRecord, BoxPorts, OnProgress } from '../ports.ts';
import { type Container, ownContainers, stopTimeMs, withoutNetwork } from '../rules/reconcile/container.ts';
import { halfReplaced } from '../rules/reconcile/interrupted-recreate.ts';
import { refuseMissingDisk } from '../space/disks.ts';
import { lookAtContainers } from './observer.ts';
import { stopContainers } from './stop-and-start.ts';
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
  box: Pick<BoxPorts, 'containers' | 'disks' | 'folders' | 'observer'>,
  { project, before, record, only, discarded, onProgress }: BringUp,
): Promise<void> {
  const { compose } = project;
  refuseMissingDisk(box, project);
  onProgress?.({ step: 'starting' });
  await box.containers.removeContainers(halfReplaced(before, compose.project).map(({ id }) => id));
  const paused = ownContainers(before, compose.project).filter(({ state }) => state === 'paused');
  await box.containers.unpause(paused.map(({ id }) => id));
  await removeChangedVolumes(box, project, before, discarded);
  await box.containers.up(compose, only, { onProgress });
  const stale = staleServices(box, project, record).filter((service) => only?.includes(service) ?? true);
  if (stale.length > 0) await recreateLeft(box, project, before, stale, onProgress);
  if (before.some(({ networkOf }) => networkOf !== null)) await startInNetwork(box, compose.project);
  const off = switchedOff(project, before, record);
  const services = [...new Set(off.map(({ service }) => service))];
  if (off.length > 0) await box.containers.removeServices(compose, services, stopTimeMs(off));
}

/** Starts containers again that lost the network of another one. */
async function startInNetwork(box: Pick<BoxPorts, 'containers' | 'observer'>, project: string): Promise<void> {
  const lost = withoutNetwork(ownContainers(await lookAtContainers(box), project));
  await stopContainers(box, lost);
  await box.containers.start(lost.map(({ id }) => id));
}

/** Recreates those services whose containers are still the ones of before. */
async function recreateLeft(
  box: Pick<BoxPorts, 'containers' | 'observer'>,
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
