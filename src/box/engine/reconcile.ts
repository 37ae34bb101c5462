import { ignore } from '../../lib/ignore.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { asPlanned, type Project, readProject, resolveProject } from '../app-files/project.ts';
import { actionsToShow, maskSecretsIn } from '../app-files/secrets.ts';
import { inputsOf, staleServices } from '../app-files/stale-services.ts';
import { waitsText } from '../backup/rules/backup-texts.ts';
import { type AppRecord, type ContainersFailed, faultText, type Picture, StorageFailed } from '../core.ts';
import { isToClose } from '../https/rules/names.ts';
import type { KnownApp } from '../known-apps.ts';
import { hasBuilt } from '../rules/compose/project-model.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import { atATime, carryOut } from './carry-out.ts';
import { diskProblemOf, rememberDisks } from './disks.ts';
import { hastenRetries } from './failed-ups.ts';
import type { EngineBox } from './ports.ts';
import type { Action } from './rules/actions.ts';
import { nextRecord, type StepOutcome } from './rules/app-record.ts';
import { type Container, ownContainers, timeText, withoutNetwork } from './rules/container.ts';
import { type AppObservation, type BlockedApp, planReconcile, type Step } from './rules/reconcile-plan.ts';
import { volumeChanges } from './volume-changes.ts';

export type ReconcileOptions = {
  /** The project of the app acted on, if the change has planned it. */
  planned?: Project | null;
  /** Builds the images of the app acted on that are built here, even if they are there. */
  builds?: boolean;
  /** If false, apps whose images are not on this machine are skipped. */
  pulls?: boolean;
};

/**
 * Reconciles the containers of every installed app: observes with one look at the containers, plans, carries out. The
 * app acted on comes first. An app that fails is an `error` action and does not hold up the others.
 * box/service/17-19, box/post-rules/4, choice/box/96, choice/box/104, choice/box/110
 */
export async function reconcile(
  box: EngineBox,
  first: string | null,
  picture?: Picture | null,
  { planned = null, builds = false, pulls = true }: ReconcileOptions = {},
): Promise<Action[]> {
  const { containers, failure } = picture ?? (await box.observer.look());
  // The commands that follow report the faults of a container tool that does not list its containers.
  const unreachable = failure?.unreachable ? failure : null;
  const waiting = box.backup.waiting.apps();
  const projects = new Map<string, Project>();
  const records = box.records.load();
  const seen = { first, planned, builds, containers, unreachable, waiting, projects, records };
  const apps = await mapConcurrently(box.apps.all('installed'), atATime, (app) => observeApp(box, app, seen));

  const steps = planReconcile({
    apps,
    containers,
    first,
    installedApps: box.installedApps,
    known: new Set(seen.records.keys()),
    isDirectory: (path) => box.folders.isDirectory(path),
  });
  if (first !== null && unreachable === null) hastenRetries(box, first);
  if (unreachable === null) noteNotTried(box, steps);
  const { actions, outcomes } = await carryOut(box, steps, { ...seen, pulls, builds: builds ? first : null });
  const calm = new Set(steps.filter((step) => step.do === 'leave').map(({ app }) => app));
  await saveRecords(box, apps, seen, { outcomes, calm });
  if (unreachable === null) box.sinceStart.isReconciled = true;
  return actionsToShow(box, actions);
}

/** Keeps, for the states of the apps, why some cannot be brought up: such an app may have no record yet. */
function noteNotTried(box: EngineBox, steps: readonly Step[]): void {
  const before = [...box.failedUps].filter(([, { why }]) => why === 'not tried');
  for (const [app] of before) box.failedUps.delete(app);
  const failing = steps.filter((step) => step.do === 'fail');
  for (const { app, cause } of failing) {
    box.failedUps.set(app, { why: 'not tried', error: maskSecretsIn(box, cause, app) });
  }
}

/** What a reconcile knows before its plan; `first` is the app acted on. */
type Seen = {
  first: string | null;
  planned: Project | null;
  builds: boolean;
  containers: readonly Container[];
  /** Why the engine does not answer: an error of each app that needs it. */
  unreachable: ContainersFailed | null;
  /** Apps whose data is half restored. */
  waiting: readonly string[];
  /** Those of the apps that were observed. */
  projects: Map<string, Project>;
  records: ReadonlyMap<string, AppRecord>;
};

async function observeApp(box: EngineBox, { name, manifest, entry }: KnownApp, seen: Seen): Promise<AppObservation> {
  const record = seen.records.get(name);
  const isFirst = name === seen.first;
  const blocked = (kind: 'skip' | 'error', detail: string, mustStop = false): BlockedApp => ({
    app: name,
    project: record?.model?.name ?? projectOfDirectory(name),
    directory: box.folders.path(name),
    blockedBy: { kind, detail, mustStop },
  });
  const stoppedAt = box.stopped.all().get(name);
  if (stoppedAt !== undefined) return blocked('skip', `you stopped it on ${timeText(stoppedAt)}`, true);
  if (manifest === null) return blocked('skip', entry.ok ? '' : entry.error);
  try {
    const verdict = await readProject(box, name, record);
    // An app that never had a Compose file has nothing to start. If its Compose file was removed, the app has failed.
    const isMissed = !verdict.ok && verdict.isAbsent && record?.succeeded;
    if (!verdict.ok) return blocked(verdict.isAbsent && !isMissed ? 'skip' : 'error', verdict.problem);
    const placeholders = placeholderKeys(verdict.project.env, manifest.settings);
    if (placeholders.length > 0) {
      // For the app that was just changed it is an error not to start; another app is only skipped.
      const held = `its .env still has placeholder values: ${placeholders.join(', ')}`;
      return blocked(isFirst ? 'error' : 'skip', held);
    }
    if (seen.waiting.includes(name)) {
      const losesData = box.backup.waiting.snapshotOf(name) !== undefined;
      return blocked(isFirst ? 'error' : 'skip', waitsText(name), losesData);
    }
    if (record?.held !== undefined && !isFirst) return blocked('skip', record.held);
    if (seen.unreachable !== null) return blocked('error', seen.unreachable.message);
    // An unchanged app costs no call of Compose, nor does one that the change has planned.
    const project = await resolveProject(box, asPlanned(verdict.project, isFirst ? seen.planned : null));
    seen.projects.set(name, project);
    const missing = diskProblemOf(box, name, project.model);
    if (missing !== null) {
      if (!box.heldForDisk.has(name)) box.warn(`${name} is not started: ${missing}`);
      box.heldForDisk.add(name);
      return { ...blocked(isFirst ? 'error' : 'skip', missing, true), project: project.compose.project };
    }
    box.heldForDisk.delete(name);
    const failed = box.failedUps.get(name);
    const failedUp = failed === undefined || failed.why === 'not tried' ? null : failed;
    const changes = isFirst ? await volumeChanges(box, project, seen.containers) : [];
    const moved = changes.find(({ keptBecause }) => keptBecause === null);
    return {
      app: name,
      project: project.compose.project,
      directory: project.compose.directory,
      blockedBy: null,
      digest: project.digest,
      due: moved ? `its volume ${moved.name} is to lead elsewhere` : causeDue(box, project, seen),
      notes: changes.flatMap(({ keptBecause }) => keptBecause ?? []),
      record: record ?? null,
      failedUp: failedUp?.digest === project.digest ? failedUp : null,
    };
  } catch (error) {
    return blocked('error', faultText(box, error));
  }
}

/** Why an app is brought up though neither its files nor its containers ask for it; `null` if there is no reason. */
function causeDue(box: EngineBox, project: Project, { first, builds, containers, records }: Seen): string | null {
  const record = records.get(project.app);
  const [lost] = withoutNetwork(ownContainers(containers, project.compose.project));
  if (lost !== undefined)
    return `its container ${lost.name} lost the network of another one, which was started after it`;
  if (staleServices(box, project, record).length > 0) return 'a config, a secret or a mounted file changed';
  const closes = isToClose(box.https.setting(), project.app);
  if (closes !== (record?.isClosed ?? false)) return `the port of its name is to be ${closes ? 'closed' : 'opened'}`;
  return builds && project.app === first && hasBuilt(project.model) ? 'its images are built here' : null;
}

/** The result of a reconcile. `calm` are apps that were left alone because they are in line. */
type Result = { outcomes: ReadonlyMap<string, StepOutcome>; calm: ReadonlySet<string> };

function masked(box: EngineBox, app: string, outcome: StepOutcome | undefined): StepOutcome | undefined {
  return outcome !== undefined && 'failure' in outcome
    ? { failure: maskSecretsIn(box, outcome.failure, app) }
    : outcome;
}

/**
 * Records apps that succeeded, and why others failed. An app whose folder is gone stays on record while it may have
 * containers, which a later reconcile takes down.
 */
async function saveRecords(
  box: EngineBox,
  apps: readonly AppObservation[],
  { records: before, projects, containers, unreachable }: Seen,
  { outcomes, calm }: Result,
): Promise<void> {
  const present = new Set(apps.map(({ app }) => app));
  const directories = new Set(containers.map(({ workingDirectory }) => workingDirectory));
  const isLost = (app: string) => !outcomes.has(app) && directories.has(box.folders.path(app));
  const others = [...before].filter(([app]) => !present.has(app) && (unreachable !== null || isLost(app)));
  const records = new Map(others);
  const setting = box.https.setting();
  const now = box.now().getTime();
  const isUp = (app: string) => 'containers' in (outcomes.get(app) ?? {});
  for (const app of present) {
    const project = projects.get(app);
    // Without a project the app was not observed this time.
    const record =
      project === undefined
        ? before.get(app)
        : nextRecord(project, before.get(app), {
            outcome: masked(box, app, outcomes.get(app)),
            inputs: isUp(app) ? inputsOf(box, project) : {},
            isCalm: calm.has(app),
            isClosed: isToClose(setting, app),
            now,
          });
    if (record !== undefined) records.set(app, record);
  }
  const running = [...projects].filter(([app]) => calm.has(app) || isUp(app));
  await rememberDisks(box, running);
  // Unchanged records are the same objects, so nothing needs to be compared.
  const isSame = [...records].every(([app, record]) => before.get(app) === record);
  if (isSame && records.size === before.size) return;
  // Without its records the next reconcile only runs more commands.
  await box.records.save(records).catch(ignore(StorageFailed, ({ message }) => box.warn(message)));
}
