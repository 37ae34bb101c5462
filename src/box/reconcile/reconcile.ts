import { faultText } from '../apps/fault-text.ts';
import { type Project, readProject, resolveServices } from '../apps/project.ts';
import { actionsToShow } from '../apps/secrets.ts';
import type { KnownApp } from '../known-apps.ts';
import { type AppRecord, type BoxPorts, type ContainerState, type ContainersFailed, StorageFailed } from '../ports.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import { type AppObservation, planReconcile } from '../rules/reconcile/reconcile-plan.ts';
import { atATime, carryOut, mapConcurrently } from './carry-out.ts';
import { hastenRetries } from './failed-ups.ts';
import { beginListing } from './listing.ts';

/** Everything that a reconcile observes before its plan. */
type Seen = {
  apps: AppObservation[];
  projects: Map<string, Project>;
  containers: ContainerState[];
  records: Map<string, AppRecord>;
};

/**
 * Reconciles the containers of every installed app: observes with one container listing, plans, carries out. The app
 * acted on comes first. An app that fails is an `error` action and does not hold up the others.
 * box/service/17-19, box/post-rules/4, choice/box/96, choice/box/104, choice/box/110
 */
export async function reconcile(
  box: BoxPorts,
  first: string | null,
  listing = beginListing(box),
  pulls = true,
): Promise<Action[]> {
  const apps = box.apps.all('installed');
  const observed = await observeApps(box, apps, first);
  const listed = await listing;
  const seen: Seen = { ...observed, containers: listed.containers };
  if (listed.failure !== null) markFailed(seen.apps, listed.failure);
  else await resolveChanged(box, seen);

  const steps = planReconcile({
    apps: seen.apps,
    containers: seen.containers,
    first,
    installedApps: box.installedApps,
    known: new Set(seen.records.keys()),
    isDirectory: (path) => box.folders.isDirectory(path),
  });
  if (first !== null && listed.failure === null) hastenRetries(box, first);
  const outcome = await carryOut(box, steps, { ...seen, pulls });
  await saveRecords(box, seen, outcome.succeeded, listed.failure === null);
  if (listed.failure === null) box.sinceStart.isReconciled = true;
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
    failedUp: null,
    restarts: () => true,
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
      failedUp: failedUp?.digest === project.digest ? failedUp : null,
      restarts: (service) => projects.get(name)?.facts.services[service]?.restarts ?? true,
    };
  } catch (error) {
    return blocked('error', faultText(box, error));
  }
}

/** Records of apps whose folder is gone while their containers still exist: a later reconcile takes them down. */
function lostRecords(
  box: BoxPorts,
  { apps, records, containers }: Seen,
  succeeded: ReadonlyMap<string, string[] | null>,
): Map<string, AppRecord> {
  const present = new Set(apps.map(({ app }) => app));
  const lost = [...records].filter(
    ([app]) =>
      !present.has(app) &&
      !succeeded.has(app) &&
      containers.some(({ workingDirectory }) => workingDirectory === box.folders.path(app)),
  );
  return new Map(lost);
}

/** Records apps that succeeded, clears the success of those that failed, and keeps the other records. */
async function saveRecords(
  box: BoxPorts,
  seen: Seen,
  succeeded: ReadonlyMap<string, string[] | null>,
  isListed: boolean,
): Promise<void> {
  const records = isListed ? lostRecords(box, seen, succeeded) : new Map(seen.records);
  for (const { app } of seen.apps) {
    const before = seen.records.get(app);
    const project = seen.projects.get(app);
    const containers = succeeded.get(app);
    if (project === undefined) {
      // The app was not observed this time.
      if (before !== undefined) records.set(app, before);
      continue;
    }
    const { facts, factsDigest, digest } = project;
    if (containers === undefined) {
      const kept = { succeeded: before?.succeeded ?? null, containers: before?.containers ?? [] };
      records.set(app, before?.factsDigest === factsDigest ? before : { facts, factsDigest, ...kept });
    } else if (containers === null) {
      // Keeps the container names, which show that the app was started before.
      records.set(app, { facts, factsDigest, succeeded: null, containers: before?.containers ?? [] });
    } else {
      records.set(app, { facts, factsDigest, succeeded: digest, containers });
    }
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
