import { refuse } from '../api/refusals.ts';
import { portsOfServices, refusePorts } from '../app-files/ports-held.ts';
import { asPlanned, type Project, readPlannedProject, readProject, resolveProject } from '../app-files/project.ts';
import { inputsOf } from '../app-files/stale-services.ts';
import { refuseDisturbing } from '../backup/beside.ts';
import { copyBeforeUpdate, type UpdateCopy } from '../backup/update-copy.ts';
import { buildImages } from '../engine/bring-up.ts';
import { volumeChanges } from '../engine/volume-changes.ts';
import type { KnownApp } from '../known-apps.ts';
import { type AppRecord, type BoxPorts, ContainersFailed, StorageFailed } from '../ports.ts';
import {
  comparedContainers,
  type ImageChange,
  imageChanges,
  servicesToStart,
  servicesToUpgrade,
} from '../rules/compose/image-changes.ts';
import { hasBuilt } from '../rules/compose/project-model.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { rememberReplaced } from '../space/replaced-images.ts';
import { rememberRollBack } from '../versions/rolled-back.ts';
import { plannedEnv } from './install.ts';
import { replacedBy, writeReplacing } from './replaced-files.ts';
import type { RefreshPlan } from './rules/refresh-plan.ts';
import {
  containersBefore,
  pullImages,
  type RunningService,
  renewContainers,
  restoreContainers,
  taggedBy,
} from './update-containers.ts';

/** `starting`: a text for each service that is still starting. `upgrade` is `null` if there was no newer version. */
export type AppUpdate = Renewed & { upgrade: Upgrade | null };
/** `awayMs`: how long the app was away for the backup before; absent without one. */
export type Renewed = { services: ImageChange[]; starting: string[]; awayMs?: number };

/** `kept` are copies of files that the owner had edited. */
export type Upgrade = { from_version: string; to_version: string; kept: string[] };

/** The planned files and `.env` of an upgrade, and the project before it. */
type UpgradePlan = {
  app: KnownApp;
  name: string;
  from: Manifest;
  to: Manifest;
  /** The directory of the newer version. */
  source: string;
  files: RefreshPlan;
  env: PlannedEnv;
  /** `null` for an app that had no Compose file. */
  old: Project | null;
};

/** The `.env` as it is and as it will be; `write` is `null` if it stays unchanged. */
type PlannedEnv = { before: string | null; text: string | null; write: string | null };

/**
 * The project of the newer version, whose images are pulled, the containers of the old version, and the volumes that the
 * newer one makes anew.
 */
type Pulled = { old: Project; planned: Project; running: RunningService[]; remade: string[] };

/**
 * Upgrades an app to the newer version: files as in a reinstall, then images and containers. The images are pulled
 * before anything is changed. Until the new containers stay up, a power cut rolls back the files, and a failure also
 * the containers. A stopped app gets the files and stays stopped.
 * choice/box/304
 */
export async function upgradeApp(
  box: BoxPorts,
  installed: KnownApp,
  newer: KnownApp,
  record: AppRecord | undefined,
): Promise<AppUpdate> {
  const plan = await planUpgrade(box, installed, newer, record);
  const pulled = await pull(box, plan);
  const services = pulled === null ? [] : startedServices(pulled);
  const renewed =
    pulled === null || services?.length === 0
      ? await replaceFiles(box, plan, pulled)
      : await replaceContainers(box, plan, pulled, services ?? undefined);
  return {
    ...renewed,
    upgrade: {
      from_version: plan.from.version,
      to_version: plan.to.version,
      kept: plan.files.steps.flatMap(({ keepAs }) => keepAs ?? []),
    },
  };
}

async function planUpgrade(
  box: BoxPorts,
  app: KnownApp,
  { path: source, manifest: to }: KnownApp,
  record: AppRecord | undefined,
): Promise<UpgradePlan> {
  const { name, manifest: from } = app;
  const env = envOfUpgrade(box, name, source, to as Manifest);
  const files = await box.installFiles.planRefresh(name, source);
  const verdict = await readProject(box, name, record);
  const hadNone = !verdict.ok && verdict.isAbsent && !record?.succeeded;
  if (!verdict.ok && !hadNone) throw new ContainersFailed(`${name} cannot be updated: ${verdict.problem}`, false);
  const old = verdict.ok ? await resolveProject(box, verdict.project) : null;
  return { app, name, from: from as Manifest, to: to as Manifest, source, files, env, old };
}

/** Refuses, before anything is changed, a version that needs a secret from the owner. choice/box/304 */
function envOfUpgrade(box: BoxPorts, name: string, source: string, to: Manifest): PlannedEnv {
  const { before, after } = plannedEnv(box, name, { path: source, isInstalled: true }, new Map());
  const text = after ?? before;
  const keys = placeholderKeys(readDotenv(text ?? ''), to.settings);
  if (keys.length > 0) {
    const file = `${box.folders.path(name)}/.env`;
    refuse('upgradeNeedsValues', { app: name, version: to.version, keys: keys.join(', '), file });
  }
  return { before, text, write: after };
}

/** Pulls the images of the newer version. `null` if the app had no Compose file. */
async function pull(box: BoxPorts, { app, name, to, source, files, env, old }: UpgradePlan): Promise<Pulled | null> {
  if (old === null) return null;
  const { all, own: running } = await containersBefore(box, old);
  return box.installFiles.preview(name, source, files, env.text, async (directory) => {
    const planFiles = { directory, envText: env.text, envFile: `${directory}/.env` };
    const verdict = await readPlannedProject(box, name, planFiles, undefined);
    if (!verdict.ok) throw new ContainersFailed(`version ${to.version} cannot be used: ${verdict.problem}`, false);
    const planned = await resolveProject(box, verdict.project);
    if (planned.compose.project !== old.compose.project) {
      const change = `${old.compose.project} to ${planned.compose.project}`;
      const problem = `version ${to.version} changes the Compose project from ${change}; remove the app and install it`;
      throw new ContainersFailed(problem, false);
    }
    if (app.origin !== name) await refuseDisturbing(box, planned, directory);
    const changes = await volumeChanges(box, planned, all);
    const kept = changes.find(({ keptBecause }) => keptBecause !== null);
    if (kept !== undefined)
      throw new ContainersFailed(`version ${to.version} cannot be used: ${kept.keptBecause}`, false);
    await pullImages(box, planned);
    return { old, planned, running, remade: changes.map((one) => one.name) };
  });
}

function startedServices({ old, planned, running }: Pulled): string[] | null {
  return servicesToUpgrade(running, old.model.services, planned.model.services);
}

/** Replaces the files of an app that does not run, and builds what is built here, for its next start. */
async function replaceFiles(box: BoxPorts, plan: UpgradePlan, pulled: Pulled | null): Promise<Renewed> {
  const { name, source, files, env } = plan;
  const nothing = { services: [], starting: [] };
  await copyBeforeUpdate(box, plan.app, null);
  if (pulled === null || !hasBuilt(pulled.planned.model)) {
    await box.installFiles.refresh(name, source, files, env.write);
    return nothing;
  }
  await box.installFiles.exchange(name, source, files, env.write);
  try {
    await buildImages(box, await newProject(box, name, pulled.planned));
    await box.installFiles.keep(name);
    return nothing;
  } catch (error) {
    await box.installFiles.finish();
    throw withOutcome(error as Error, `the app stays at version ${plan.from.version}`);
  }
}

/** The project of the files that were put in place. */
async function newProject(box: BoxPorts, name: string, planned: Project): Promise<Project> {
  const verdict = await readProject(box, name, undefined);
  if (!verdict.ok) throw new ContainersFailed(verdict.problem, false);
  return resolveProject(box, asPlanned(verdict.project, planned));
}

async function replaceContainers(
  box: BoxPorts,
  plan: UpgradePlan,
  pulled: Pulled,
  services: string[] | undefined,
): Promise<Renewed> {
  const { name, source, files, env, old } = plan;
  const picture = await box.observer.look();
  const { planned } = pulled;
  const before = portsOfServices(old?.model);
  refusePorts(box, { name, project: planned, before }, picture);
  if (picture.failure !== null) throw picture.failure;
  const copy = await copyBeforeUpdate(box, plan.app, async () =>
    comparedContainers(pulled.running).map(({ imageId: from, tag }) => ({ from, tag })),
  );
  let inputs: AppRecord['inputs'] = {};
  try {
    await forgetSuccess(box, name);
    const exchange = () => box.installFiles.exchange(name, source, files, env.write);
    await writeReplacing(box, name, replacedBy(files, env.write), exchange);
    const project = await newProject(box, name, planned);
    await buildImages(box, project);
    const changes = await imageChangesOf(box, pulled.running, project);
    inputs = inputsOf(box, project);
    const record = box.records.load().get(name);
    const before = picture.containers;
    const renewal = { app: name, project, record, before, services, copy };
    const starting = await renewContainers(box, renewal);
    await rememberInputs(box, project);
    await box.installFiles.keep(name);
    await rememberReplaced(box, name, pulled.running, changes);
    return { services: changes, starting, ...(await copy.keep()) };
  } catch (error) {
    throw await rollBack(box, plan, { ...pulled, inputs, copy }, error as Error);
  }
}

/** Compares the image of each running service with the image that the project names for it. */
async function imageChangesOf(
  box: BoxPorts,
  running: readonly RunningService[],
  project: Project,
): Promise<ImageChange[]> {
  const tagged = taggedBy(project, running);
  const localIds = await box.containers.imageIds([...new Set(tagged.map(({ tag }) => tag))]);
  return imageChanges(comparedContainers(tagged), localIds);
}

/** After a power cut the old files are restored, but perhaps not the old containers. */
async function forgetSuccess(box: BoxPorts, name: string): Promise<void> {
  const records = box.records.load();
  const record = records.get(name);
  if (record === undefined) return;
  await box.records.save(new Map(records).set(name, { ...record, succeeded: null }));
}

/** The new containers see the new configs, secrets and mounted files. */
async function rememberInputs(box: BoxPorts, project: Project): Promise<void> {
  const records = box.records.load();
  const record = records.get(project.app);
  if (record === undefined) return;
  const seen = { model: project.model, modelFor: project.digest, inputs: inputsOf(box, project), replaced: [] };
  await box.records.save(new Map(records).set(project.app, { ...record, ...seen }));
}

/** Restores files, data, images and containers. The returned failure names the cause and the result. */
async function rollBack(
  box: BoxPorts,
  { name, from }: UpgradePlan,
  { old, running, remade, inputs, copy }: Pulled & { inputs: AppRecord['inputs']; copy: UpdateCopy },
  cause: Error,
): Promise<Error> {
  box.operations.report({ step: 'rolling_back' });
  await rememberRollBack(box, name, cause);
  try {
    await box.installFiles.finish();
    const isUnchanged = await copy.resume();
    const data = isUnchanged ? { isHeld: false, text: '' } : await copy.putBack();
    if (data.isHeld) return withOutcome(cause, data.text);
    const moved = await imageChangesOf(box, running, old);
    const services = servicesToStart(running, old.model.services) ?? undefined;
    const record = box.records.load().get(name);
    // The containers have the configs, secrets and mounted files of the newer version.
    await restoreContainers(box, old, record && { ...record, inputs }, moved, services, remade);
    await rememberInputs(box, old);
    return withOutcome(cause, `the app runs version ${from.version} again${data.text}`);
  } catch (error) {
    return withOutcome(
      cause,
      `version ${from.version} could not be put back: ${(error as Error).message}${retryText(box)}`,
    );
  }
}

/** What the next change finishes, and the server without one. */
export function retryText({ backup }: Pick<BoxPorts, 'backup'>): string {
  return backup.files.journal() === null ? '' : '; the box tries it again every minute';
}

/** An unexpected fault stays unchanged, for the log. */
function withOutcome(cause: Error, what: string): Error {
  if (!(cause instanceof ContainersFailed || cause instanceof StorageFailed)) return cause;
  return new ContainersFailed(`${cause.message}; ${what}`, false, cause);
}
