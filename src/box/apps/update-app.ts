import {
  type AppChange,
  type AppRecord,
  type BoxPorts,
  type ContainerState,
  ContainersFailed,
  StorageFailed,
} from '../ports.ts';
import { bringUp } from '../reconcile/bring-up.ts';
import { hastenRetries } from '../reconcile/failed-ups.ts';
import { listContainers } from '../reconcile/listing.ts';
import { oldFaultsOf, waitUntilUp } from '../reconcile/new-containers.ts';
import { pullAndInspect } from '../reconcile/running-images.ts';
import type { StartedProject } from '../reconcile/stay-up.ts';
import { refuse } from '../refusals.ts';
import { comparedContainers, type ImageChange, imageChanges, servicesToStart } from '../rules/compose/image-changes.ts';
import { newerVersion, refuseNotInstalled } from './catalogue.ts';
import { type Project, readProject, resolveServices } from './project.ts';
import { maskSecretsIn } from './secrets.ts';
import { type AppUpdate, upgradeApp } from './upgrade-app.ts';

/**
 * Upgrades an app to the newer version that can be installed. Otherwise pulls newer images and recreates the
 * running containers whose image changed. Returns the changes. A stopped container stays stopped. If a new container
 * does not come up, the update is rolled back, and the refusal reports both.
 * box/service/24-25, box/updateApp/1-7, box/post-rules/6, box/post-rules/12-14, box/states/7, choice/box/122,
 * should/box/240
 */
export async function updateApp(box: BoxPorts, name: string): Promise<AppUpdate> {
  refuseNotInstalled(box, name);
  const change: AppChange = { app: name, kind: 'update' };
  return box.changes.run(async () => {
    const app = refuseNotInstalled(box, name);
    const record = box.records.load().get(name);
    try {
      const bundled = box.apps.one('bundled', name);
      if (bundled !== null && newerVersion(app, bundled) !== null) {
        const upgraded = await upgradeApp(box, app, bundled, record);
        hastenRetries(box, null); // The app may be waiting for an image that only the old version needed.
        return upgraded;
      }
      const project = await projectOf(box, name, record);
      const services = project === null ? [] : await update(box, project, record);
      hastenRetries(box, null); // The app itself may be waiting for the image that was pulled.
      return { services, upgrade: null };
    } catch (error) {
      if (!(error instanceof ContainersFailed || error instanceof StorageFailed)) throw error;
      refuse('containerToolFailed', { reason: maskSecretsIn(box, error.message, name) });
    }
  }, change);
}

/** `null` for an app that never had a Compose file, so that nothing can be newer. */
async function projectOf(box: BoxPorts, name: string, record: AppRecord | undefined): Promise<Project | null> {
  const verdict = await readProject(box, name, record);
  if (verdict.ok) {
    return record?.succeeded === verdict.project.digest ? verdict.project : resolveServices(box, verdict.project);
  }
  if (verdict.isAbsent && !record?.succeeded) return null;
  throw new ContainersFailed(`${name} cannot be updated: ${verdict.problem}`, false);
}

/**
 * At most four commands if nothing is newer: inspect the containers (one or two), pull, local ids.
 */
async function update(box: BoxPorts, project: Project, record: AppRecord | undefined): Promise<ImageChange[]> {
  const inspected = await pullAndInspect(box, project, record);
  const { complete, services: known } = project.facts;
  // Containers of services that the Compose file no longer has are not compared.
  const running = inspected.filter(({ service }) => !complete || Object.hasOwn(known, service));
  const localIds = await box.containers.imageIds([...new Set(running.map(({ tag }) => tag))]);
  const changes = imageChanges(comparedContainers(running), localIds);
  // A container in the state `created` is left by a killed update.
  const isCutShort = running.some(({ state }) => state === 'created');
  const services = servicesToStart(running, known) ?? undefined;
  if (changes.length === 0 && !isCutShort) return changes;
  const before = await listContainers(box);
  const oldFaults = oldFaultsOf(before, inspected);
  await recreate(box, { ...project, services, oldFaults }, before, changes);
  return changes;
}

async function recreate(
  box: BoxPorts,
  project: StartedProject,
  before: readonly ContainerState[],
  changes: readonly ImageChange[],
): Promise<void> {
  try {
    await bringUp(box, project, before, project.services, box.operations.report);
    await waitUntilUp(box, project);
  } catch (error) {
    if (!(error instanceof ContainersFailed) || changes.length === 0) throw error;
    throw await rollBack(box, project, changes, error);
  }
}

/**
 * Puts the old images back under their tags and recreates the containers. The returned failure reports the cause and
 * the result.
 */
async function rollBack(
  box: BoxPorts,
  project: StartedProject,
  changes: readonly ImageChange[],
  cause: ContainersFailed,
): Promise<ContainersFailed> {
  box.operations.report({ step: 'rolling_back' });
  try {
    for (const { from, tag } of changes) await box.containers.tag(from, tag);
    await bringUp(box, project, await listContainers(box), project.services);
    return new ContainersFailed(`${cause.message}; the app runs its old images again`, false, cause);
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    const text = `${cause.message}; the old images could not be put back: ${error.message}`;
    return new ContainersFailed(text, false, cause);
  }
}
