import { refuse } from '../api/refusals.ts';
import { catalogueApp, newerVersion, refuseNotInstalled } from '../app-files/catalogue.ts';
import { type Project, readProject, resolveProject } from '../app-files/project.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { copyBeforeUpdate, noCopy, type UpdateCopy } from '../backup/update-copy.ts';
import { buildImages } from '../engine/bring-up.ts';
import { hastenRetries } from '../engine/failed-ups.ts';
import { reconcile } from '../engine/reconcile.ts';
import { appOutcome } from '../engine/rules/app-outcome.ts';
import type { KnownApp } from '../known-apps.ts';
import { type AppChange, type AppRecord, type BoxPorts, ContainersFailed, StorageFailed } from '../ports.ts';
import { comparedContainers, type ImageChange, imageChanges, servicesToStart } from '../rules/compose/image-changes.ts';
import { rememberReplaced } from '../space/replaced-images.ts';
import { rememberRollBack } from '../versions/rolled-back.ts';
import { containersBefore, pullImages, renewContainers, restoreContainers } from './update-containers.ts';
import { type AppUpdate, type Renewed, retryText, upgradeApp } from './upgrade-app.ts';

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
      const bundled = catalogueApp(box, app);
      if (bundled !== null && newerVersion(app, bundled) !== null) {
        const upgraded = await upgradeApp(box, app, bundled, record);
        await startIfFailed(box, name, record, `version ${upgraded.upgrade?.to_version} is installed`);
        hastenRetries(box, null); // The app may be waiting for an image that only the old version needed.
        return upgraded;
      }
      const project = await projectOf(box, name, record);
      const renewed = project === null ? { services: [], starting: [] } : await update(box, app, project, record);
      if (project !== null) await startIfFailed(box, name, record, 'its images are the newest');
      hastenRetries(box, null); // The app itself may be waiting for the image that was pulled.
      return { ...renewed, upgrade: null };
    } catch (error) {
      if (!(error instanceof ContainersFailed || error instanceof StorageFailed)) throw error;
      refuse('containerToolFailed', { reason: maskSecretsIn(box, error.message, name) });
    }
  }, change);
}

/**
 * Brings up what does not run of an app whose last start failed: nobody has stopped it on purpose. Throws ContainersFailed if it does not come up.
 */
async function startIfFailed(box: BoxPorts, name: string, before: AppRecord | undefined, what: string): Promise<void> {
  if (before === undefined || (before.succeeded !== null && before.failure === null)) return;
  const { isUp, ending } = appOutcome(name, await reconcile(box, name));
  if (!isUp) throw new ContainersFailed(`${what}${ending}`, false);
}

/** `null` for an app that never had a Compose file, so that nothing can be newer. */
async function projectOf(box: BoxPorts, name: string, record: AppRecord | undefined): Promise<Project | null> {
  const verdict = await readProject(box, name, record);
  if (verdict.ok) return resolveProject(box, verdict.project);
  if (verdict.isAbsent && !record?.succeeded) return null;
  throw new ContainersFailed(`${name} cannot be updated: ${verdict.problem}`, false);
}

/** Four commands if nothing is newer: two for the look at the containers, pull, local ids. */
async function update(box: BoxPorts, app: KnownApp, project: Project, record: AppRecord | undefined): Promise<Renewed> {
  const { all, own } = await containersBefore(box, project);
  await pullImages(box, project);
  if (comparedContainers(own).length > 0) await buildImages(box, project);
  const localIds = await box.containers.imageIds([...new Set(own.map(({ tag }) => tag))]);
  const changes = imageChanges(comparedContainers(own), localIds);
  // A container in the state `created` is left by a killed update.
  const isCutShort = own.some(({ state }) => state === 'created');
  if (changes.length === 0 && !isCutShort) return { services: changes, starting: [] };
  const services = servicesToStart(own, project.model.services) ?? undefined;
  const copy = changes.length === 0 ? noCopy() : await copyBeforeUpdate(box, app, async () => changes);
  try {
    const renewal = { app: app.name, project, record, before: all, services, copy };
    const starting = await renewContainers(box, renewal);
    await box.installFiles.keep(app.name);
    await rememberReplaced(box, app.name, own, changes);
    return { services: changes, starting, ...(await copy.keep()) };
  } catch (error) {
    if (!(error instanceof ContainersFailed) || changes.length === 0) throw error;
    throw await rollBack(box, project, { changes, services, copy }, error);
  }
}

type Renewal = { changes: readonly ImageChange[]; services: readonly string[] | undefined; copy: UpdateCopy };

/** Restores the old images and data. The returned failure reports the cause and the result. */
async function rollBack(
  box: BoxPorts,
  project: Project,
  { changes, services, copy }: Renewal,
  cause: ContainersFailed,
): Promise<ContainersFailed> {
  box.operations.report({ step: 'rolling_back' });
  await rememberRollBack(box, project.app, cause);
  try {
    const data = await copy.putBack();
    if (data.isHeld) return new ContainersFailed(`${cause.message}; ${data.text}`, false, cause);
    await restoreContainers(box, project, undefined, changes, services);
    return new ContainersFailed(`${cause.message}; the app runs its old images again${data.text}`, false, cause);
  } catch (error) {
    if (!(error instanceof ContainersFailed || error instanceof StorageFailed)) throw error;
    const text = `${cause.message}; the old images could not be put back: ${error.message}${retryText(box)}`;
    return new ContainersFailed(text, false, cause);
  }
}
