import { faultText } from '../apps/fault-text.ts';
import { type Project, readProject, resolveServices } from '../apps/project.ts';
import { actionsToShow, maskSecretsIn } from '../apps/secrets.ts';
import type { KnownApp } from '../known-apps.ts';
import { type AppRecord, type BoxPorts, type ContainersFailed, type Picture, StorageFailed } from '../ports.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import type { Container } from '../rules/reconcile/container.ts';
import { type AppObservation, planReconcile } from '../rules/reconcile/reconcile-plan.ts';
import { atATime, carryOut, mapConcurrently, type StepOutcome } from './carry-out.ts';
import { hastenRetries } from './failed-ups.ts';

/** Everything that a reconcile observes before its plan. */
type Seen = {
  apps: AppObservation[];
  projects: Map<string, Project>;
  containers: Container[];
  records: Map<string, AppRecord>;
};

/**
 * Reconciles the containers of every installed app: observes with one look at the containers, plans, carries out. The app
 * acted on comes first. An app that fails is an `error` action and does not hold up the others.
 * box/service/17-19, box/post-rules/4, choice/box/96, choice/box/104, choice/box/110
 */
export async function reconcile(
  box: BoxPorts,
  first: string | null,
  picture?: Picture,
  pulls = true,
): Promise<Action[]> {
  const apps = box.apps.all('installed');
  const observed = await observeApps(box, apps, first);
  const { containers, failure } = picture ?? (await box.observer.look());
  const seen: Seen = { ...observed, containers };
  // The commands that follow report the faults of a container tool that does not list its containers.
  const isReachable = !failure?.unreachable;
  if (failure?.unreachable) markFailed(seen.apps, failure);
  else await resolveChanged(box, seen);

  const steps = planReconcile({
    apps: seen.apps,
    containers: seen.containers,
    first,
    installedApps: box.installedApps,
    known: new Set(seen.records.keys()),
    isDirectory: (path) => box.folders.isDirectory(path),
  });
  if (first !== null && isReachable) hastenRetries(box, first);
  const outcome = await carryOut(box, steps, { ...seen, pulls });
  const calm = new Set(steps.filter((step) => step.do === 'leave').map(({ app }) => app));
  await saveRecords(box, seen, { outcomes: outcome.outcomes, calm, isReachable });
  if (isReachable) box.sinceStart.isReconciled = true;
  return actionsToShow(box, outcome.actions);
}

/**
 * Reports an error for each app, because the engine does not answer. Apps without a need for the engine are still
 * skipped.
 */
function markFailed(apps: AppObservation[], failure: ContainersFailed): void {
  for (const app of apps) app.blockedBy ??= { kind: 'error', detail: failure.message };
}

/** Asks Compose only for apps that changed since their last success: an unchanged app costs no call. */
async function resolveChanged(box: BoxPorts, { apps, projects }: Seen): Promise<void> {
  const changed = apps.filter(({ blockedBy, digest, succeeded }) => blockedBy === null && digest !== succeeded);
  await mapConcurrently(changed, atATime, async ({ app }) => {
    projects.set(app, await resolveServices(box, projects.get(app) as Project));
  });
}

async function observeApps(
  box: BoxPorts,
  apps: readonly KnownApp[],
  first: string | null,
): Promise<Omit<Seen, 'containers'>> {
  const records = box.records.load();
  const projects = new Map<string, Project>();
  const observations: AppObservation[] = [];
  for (const app of apps) {
    // For the app that was just changed it is an error not to start; another app is only skipped.
    const placeholderKind = app.name === first ? 'error' : 'skip';
    observations.push(await observeApp(box, app, records.get(app.name), projects, placeholderKind));
  }
  return { apps: observations, projects, records };
}

async function observeApp(
  box: BoxPorts,
  { name, manifest, entry }: KnownApp,
  record: AppRecord | undefined,
  projects: Map<string, Project>,
  placeholderKind: 'skip' | 'error',
): Promise<AppObservation> {
  const blocked = (kind: 'skip' | 'error', detail: string): AppObservation => ({
    app: name,
    project: projectOfDirectory(name),
    directory: box.folders.path(name),
    blockedBy: { kind, detail },
    digest: '',
    succeeded: null,
    lastContainers: [],
    hasFailed: false,
    failedUp: null,
  });
  if (manifest === null) return blocked('skip', entry.ok ? '' : entry.error);
  try {
    const verdict = await readProject(box, name, record);
    // An app that never had a Compose file has nothing to start. If its Compose file was removed, the app has failed.
    const isMissed = !verdict.ok && verdict.isAbsent && record?.succeeded;
    if (!verdict.ok) return blocked(verdict.isAbsent && !isMissed ? 'skip' : 'error', verdict.problem);
    const { project } = verdict;
    projects.set(name, project);
    const failedUp = box.failedUps.get(name) ?? null;
    const placeholders = placeholderKeys(project.env, manifest.settings);
    const held = `its .env still has placeholder values: ${placeholders.join(', ')}`;
    return {
      app: name,
      project: project.compose.project,
      directory: project.compose.directory,
      blockedBy: placeholders.length === 0 ? null : { kind: placeholderKind, detail: held },
      digest: project.digest,
      succeeded: record?.succeeded ?? null,
      lastContainers: record?.containers ?? [],
      hasFailed: Boolean(record?.failure),
      failedUp: failedUp?.digest === project.digest ? failedUp : null,
    };
  } catch (error) {
    return blocked('error', faultText(box, error));
  }
}

/** The result of a reconcile. `calm` are apps that were left alone because they are in line. */
type Result = { outcomes: ReadonlyMap<string, StepOutcome>; calm: ReadonlySet<string>; isReachable: boolean };

/** Records of apps whose folder is gone while their containers still exist: a later reconcile takes them down. */
function lostRecords(box: BoxPorts, { apps, records, containers }: Seen, { outcomes }: Result): Map<string, AppRecord> {
  const present = new Set(apps.map(({ app }) => app));
  const lost = [...records].filter(
    ([app]) =>
      !present.has(app) &&
      !outcomes.has(app) &&
      containers.some(({ workingDirectory }) => workingDirectory === box.folders.path(app)),
  );
  return new Map(lost);
}

/** Records apps that succeeded, and why others failed; keeps the other records. */
async function saveRecords(box: BoxPorts, seen: Seen, result: Result): Promise<void> {
  const records = result.isReachable ? lostRecords(box, seen, result) : new Map(seen.records);
  for (const { app } of seen.apps) {
    const before = seen.records.get(app);
    const project = seen.projects.get(app);
    // Without a project the app was not observed this time.
    const record = project === undefined ? before : recordOf(box, app, project, before, result);
    if (record !== undefined) records.set(app, record);
  }
  // Unchanged records are the same objects, so nothing needs to be compared.
  const isSame = [...records].every(([app, record]) => seen.records.get(app) === record);
  if (isSame && records.size === seen.records.size) return;
  try {
    await box.records.save(records);
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    // Without its records the next reconcile only runs more commands.
    box.warn(error.message);
  }
}

function recordOf(
  box: BoxPorts,
  app: string,
  { facts, factsDigest, digest }: Project,
  before: AppRecord | undefined,
  { outcomes, calm }: Result,
): AppRecord {
  const outcome = outcomes.get(app);
  if (outcome !== undefined && 'containers' in outcome) {
    return { facts, factsDigest, succeeded: digest, containers: outcome.containers, failure: null };
  }
  // The names of the containers stay: they show that the app was started before.
  const containers = before?.containers ?? [];
  if (outcome !== undefined) {
    return { facts, factsDigest, succeeded: null, containers, failure: maskSecretsIn(box, outcome.failure, app) };
  }
  const failure = calm.has(app) ? null : (before?.failure ?? null);
  if (before?.factsDigest === factsDigest && before.failure === failure) return before;
  return { facts, factsDigest, succeeded: before?.succeeded ?? null, containers, failure };
}
