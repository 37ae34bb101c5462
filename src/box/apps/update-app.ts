import { refuse } from '../api/refusals.ts';
import { changeInstalled } from '../app-files/catalogue.ts';
import { type Project, readProject, resolveProject } from '../app-files/project.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { inputsOf } from '../app-files/stale-services.ts';
import { portsOfServices, refusePorts } from '../app-files/taken-ports.ts';
import { copyBeforeUpdate, finishCopy, putCopyBack, startUnchanged, type UpdateCopy } from '../backup/update-copy.ts';
import { type AppRecord, ContainersFailed, StorageFailed } from '../core.ts';
import { buildImages } from '../engine/bring-up.ts';
import { hastenRetries } from '../engine/failed-ups.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Container } from '../engine/rules/container.ts';
import { appOutcome } from '../engine/rules/outcomes.ts';
import { forgetSuccess } from '../engine/stop-and-start.ts';
import type { KnownApp } from '../known-apps.ts';
import {
  comparedContainers,
  type ImageChange,
  servicesToStart,
  servicesToUpgrade,
} from '../rules/compose/image-changes.ts';
import { hasBuilt } from '../rules/compose/project-model.ts';
import { type NewerFiles, newerFiles, projectInPlace, pullNewer, rememberInputs } from './newer-files.ts';
import type { AppsBox } from './ports.ts';
import { noteReplaced } from './replaced-files.ts';
import {
  containersBefore,
  imageChangesOf,
  pullImages,
  type RunningService,
  renewContainers,
  restoreContainers,
} from './update-containers.ts';

/** `starting`: a text for each such service. `upgrade`: `null` without a newer version. `stoppedAt`: in ms. */
export type AppUpdate = Renewed & { upgrade: Upgrade | null; stoppedAt?: number };
/** `awayMs`: how long the app was away for the backup before; absent without one. */
type Renewed = { services: ImageChange[]; starting: string[]; awayMs?: number };
/** `kept` are copies of files that the owner had edited. */
export type Upgrade = { from_version: string; to_version: string; kept: string[] };

const nothing: Renewed = { services: [], starting: [] };

/**
 * Updates an app to the newer version that the catalogue has, or to newer images of the same version. What is needed is
 * pulled before anything is changed. Until the new containers stay up, a failure or a power cut brings files, data,
 * images and containers of before back, and the refusal reports both. A stopped app or container stays stopped.
 * box/service/24-25, box/updateApp/1-7, box/post-rules/6, box/post-rules/12-14, box/states/7, choice/box/122,
 * choice/box/304, should/box/240
 */
export function updateApp(box: AppsBox, name: string): Promise<AppUpdate> {
  return changeInstalled(box, { app: name, kind: 'update' }, async (app) => {
    const record = box.records.load().get(name);
    try {
      const newer = await newerFiles(box, app);
      const old = await projectOf(box, name, record);
      const renewed = old === null ? await replaceFiles(box, app, newer, null) : await update(box, { app, old, newer });
      const what = newer === null ? 'its images are the newest' : `version ${newer.to.version} is installed`;
      const stoppedAt = box.stopped.all().get(name);
      const mayStart = stoppedAt === undefined && (old !== null || newer !== null);
      if (mayStart) await startIfFailed(box, name, record, what);
      // Apps, this one too, may be waiting for an image that was pulled or that only the old version needed.
      hastenRetries(box, null);
      const upgrade = newer && upgradeOf(app, newer);
      return { ...renewed, upgrade, ...(stoppedAt === undefined ? {} : { stoppedAt }) };
    } catch (error) {
      if (!(error instanceof ContainersFailed || error instanceof StorageFailed)) throw error;
      refuse('containerToolFailed', { reason: maskSecretsIn(box, error.message, name) });
    }
  });
}

function upgradeOf({ manifest }: KnownApp, { to, change }: NewerFiles): Upgrade {
  const kept = change.plan.steps.flatMap(({ keepAs }) => keepAs ?? []);
  return { from_version: manifest?.version ?? '', to_version: to.version, kept };
}

/** Brings up what does not run of an app whose last start failed. Throws ContainersFailed if it does not come up. */
async function startIfFailed(box: AppsBox, name: string, before: AppRecord | undefined, what: string): Promise<void> {
  if (before === undefined || (before.succeeded !== null && before.failure === null)) return;
  const { isUp, ending } = appOutcome(name, await reconcile(box, name));
  if (!isUp) throw new ContainersFailed(`${what}${ending}`, false);
}

/** `null` for an app that never had a Compose file. */
async function projectOf(box: AppsBox, name: string, record: AppRecord | undefined): Promise<Project | null> {
  const verdict = await readProject(box, name, record);
  if (verdict.ok) return resolveProject(box, verdict.project);
  if (verdict.isAbsent && !record?.succeeded) return null;
  throw new ContainersFailed(`${name} cannot be updated: ${verdict.problem}`, false);
}

/** An app as it is, and the files of its newer version; `null` if only images can be newer. */
type Wanted = { app: KnownApp; old: Project; newer: NewerFiles | null };

/** Four commands if nothing is newer: two for the look at the containers, pull, local ids. */
async function update(box: AppsBox, { app, old, newer }: Wanted): Promise<Renewed> {
  const { all, own: running } = await containersBefore(box, old);
  if (newer !== null) {
    const { planned, remade } = await pullNewer(box, { app, old, newer }, all);
    const services = servicesToUpgrade(running, old.model.services, planned.model.services);
    if (services?.length === 0) return replaceFiles(box, app, newer, planned);
    const picture = await box.observer.look();
    refusePorts(box, { name: app.name, project: planned, before: portsOfServices(old.model) }, picture);
    if (picture.failure !== null) throw picture.failure;
    const images = comparedContainers(running).map(({ imageId: from, tag }) => ({ from, tag }));
    const copy = await copyBeforeUpdate(box, app, images);
    const seen = { running, before: picture.containers, changes: [] };
    return exchange(box, { app, old, newer, planned, remade, ...seen, services, copy });
  }
  await pullImages(box, old);
  if (comparedContainers(running).length > 0) await buildImages(box, old);
  const changes = await imageChangesOf(box, running, old);
  // A container in the state `created` is left by a killed update.
  if (changes.length === 0 && !running.some(({ state }) => state === 'created')) return nothing;
  const services = servicesToStart(running, old.model.services);
  const images = changes.map(({ from, tag }) => ({ from, tag }));
  const copy = changes.length === 0 ? null : await copyBeforeUpdate(box, app, images);
  const seen = { running, before: all, changes };
  return exchange(box, { app, old, newer, planned: old, remade: [], ...seen, services, copy });
}

/** Replaces the files of an app that does not run, and builds what is built here, for its next start. */
async function replaceFiles(
  box: AppsBox,
  app: KnownApp,
  newer: NewerFiles | null,
  planned: Project | null,
): Promise<Renewed> {
  if (newer === null) return nothing;
  await copyBeforeUpdate(box, app, null);
  await box.installFiles.exchange(app.name, newer.change);
  try {
    if (planned !== null && hasBuilt(planned.model)) await buildImages(box, await projectInPlace(box, planned));
    await box.installFiles.keep(app.name);
    return nothing;
  } catch (error) {
    await box.installFiles.finish();
    throw withOutcome(error as Error, `the app stays at version ${app.manifest?.version}`);
  }
}

type Exchange = Wanted & {
  /** The project of the newer version, whose images are pulled, and the volumes that it makes anew. */
  planned: Project;
  remade: string[];
  running: RunningService[];
  before: readonly Container[];
  /** What is known of the images; with newer files, more is known once these are in place. */
  changes: ImageChange[];
  /** The services to bring up; `null` means all. */
  services: string[] | null;
  copy: UpdateCopy | null;
};

/** How far an exchange is: the configs, secrets and mounted files of the new containers, and when these were started. */
type Done = { inputs: AppRecord['inputs']; isStarting: boolean; upAt: number | null };

async function exchange(box: AppsBox, change: Exchange): Promise<Renewed> {
  const { app, newer, planned, running, before, services, copy } = change;
  const { name } = app;
  let { changes } = change;
  const done: Done = { inputs: {}, isStarting: false, upAt: null };
  const onUp = () => {
    done.upAt = box.now().getTime();
  };
  try {
    let project = planned;
    if (newer !== null) {
      // After a power cut the old files are restored, but perhaps not the old containers.
      await forgetSuccess(box, name);
      await noteReplaced(box, name, newer.change);
      await box.installFiles.exchange(name, newer.change);
      project = await projectInPlace(box, planned);
      await buildImages(box, project);
      changes = await imageChangesOf(box, running, project);
      done.inputs = inputsOf(box, project);
    }
    const record = box.records.load().get(name);
    done.isStarting = true;
    const starting = await renewContainers(box, { app: name, project, record, before, services, onUp });
    if (newer !== null) await rememberInputs(box, project);
    await box.installFiles.keep(name);
    for (const subject of box.subjects) await subject.replaced?.(name, running, changes);
    const awayMs = copy && (await finishCopy(box, copy, done.upAt)).awayMs;
    return { services: changes, starting, ...(awayMs === null ? {} : { awayMs }) };
  } catch (error) {
    // Containers that a killed update has left have no other image to go back to.
    if (newer === null && changes.length === 0) throw error;
    throw await rollBack(box, change, done, error as Error);
  }
}

/** Restores files, data, images and containers. The returned failure names the cause and the result. */
async function rollBack(box: AppsBox, change: Exchange, done: Done, cause: Error): Promise<Error> {
  const { app, old, newer, running, remade, copy } = change;
  const { name } = app;
  const version = `version ${app.manifest?.version}`;
  box.operations.report({ step: 'rolling_back' });
  for (const subject of box.subjects) await subject.rolledBack?.(name, cause);
  try {
    await box.installFiles.finish();
    const data = await dataBack(box, copy, done);
    if (data.isHeld) return withOutcome(cause, data.text);
    const images = await imageChangesOf(box, running, old);
    const services = servicesToStart(running, old.model.services);
    const record = newer === null ? undefined : box.records.load().get(name);
    await restoreContainers(box, old, record && { ...record, inputs: done.inputs }, images, services, remade);
    if (newer !== null) await rememberInputs(box, old);
    return withOutcome(cause, `the app runs ${newer === null ? 'its old images' : version} again${data.text}`);
  } catch (error) {
    const what = newer === null ? 'the old images' : version;
    const retried = box.backup.files.journal() === null ? '' : '; the box tries it again every minute';
    return withOutcome(cause, `${what} could not be put back: ${(error as Error).message}${retried}`);
  }
}

async function dataBack(box: AppsBox, copy: UpdateCopy | null, { isStarting, upAt }: Done) {
  if (copy !== null && isStarting) return putCopyBack(box, copy, upAt);
  if (copy !== null) await startUnchanged(box, copy);
  return { isHeld: false, text: isStarting ? '; its data stays as the newer version left it' : '' };
}

/** An unexpected fault stays unchanged, for the log. */
function withOutcome(cause: Error, what: string): Error {
  if (!(cause instanceof ContainersFailed || cause instanceof StorageFailed)) return cause;
  return new ContainersFailed(`${cause.message}; ${what}`, false, cause);
}
