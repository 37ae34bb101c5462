import { type AppRecord, missingContainers } from './app-record.ts';
import { type Container, hasDoneItsWork, otherProjectsText, runningFrom } from './container.ts';

/**
 * The plan of a reconcile: one step for every installed app and for every project whose folder is gone, each with
 * its cause. All decisions are made here; `carryOut` only follows them. It prints as text:
 *
 *     notes: up: its .env changed
 *     feeds: leave: in line
 *     old (project old): down: its folder is gone
 */

export type AppObservation = BlockedApp | ReadyApp;

type AppPlace = { app: string; project: string; directory: string };

/**
 * Why the app cannot be reconciled, and whether that is an error. `mustStop`: its containers may not run either.
 */
export type BlockedApp = AppPlace & { blockedBy: { kind: 'skip' | 'error'; detail: string; mustStop?: boolean } };

export type ReadyApp = AppPlace & {
  blockedBy: null;
  /** Digest of the project now. */
  digest: string;
  /** What is known of its last start; `null` before the first. */
  record: Pick<AppRecord, 'succeeded' | 'containers' | 'failure'> | null;
  /** A further reason to bring it up; `null` without one. */
  due: string | null;
  /** What the owner should know of the app acted on. */
  notes: readonly string[];
  /** The last `up` failed, and nothing has changed since. Only the app's own changes try again. */
  failedUp: { why: 'down' } | { why: 'images'; error: string | null } | null;
};

export type Step =
  | { do: 'leave' | 'skip' | 'fail' | 'warn'; app: string; cause: string }
  /** `isVerified`: the containers are checked to stay up. */
  | { do: 'up'; app: string; cause: string; isVerified: boolean }
  /** `isError`: the app acted on cannot be started. */
  | { do: 'stop'; app: string; cause: string; isError: boolean }
  | { do: 'down'; app: string; project: string; cause: string };

export type Observation = {
  apps: readonly AppObservation[];
  containers: readonly Container[];
  /** The app acted on, which comes first; `null` if no app was acted on. */
  first: string | null;
  installedApps: string;
  /** The apps that the box has brought up before. Only their projects are taken down when their folder is gone. */
  known: ReadonlySet<string>;
  isDirectory(path: string): boolean;
};

/** choice/box/100, choice/box/96, choice/box/104, choice/box/109 */
export function planReconcile(seen: Observation): Step[] {
  const byName = [...seen.apps].sort((a, b) => compareNames(a.app, b.app));
  const ordered = [
    ...byName.filter(({ app }) => app === seen.first),
    ...byName.filter(({ app }) => app !== seen.first),
  ];
  const containers = Map.groupBy(seen.containers, ({ project }) => project);
  const ofProject = ({ project }: AppObservation) => containers.get(project) ?? [];
  const owners = projectOwners(byName, ofProject);
  const steps = ordered.map((app) => stepOf(app, owners, ofProject(app), seen));
  return [...steps, ...(ordered[0]?.app === seen.first ? warnings(ordered[0], seen) : []), ...lostProjects(seen)];
}

function warnings(app: AppObservation, { containers }: Observation): Step[] {
  const notes = app.blockedBy === null ? app.notes : [];
  const causes = [...notes, otherProjectsText(containers, app)];
  return causes.flatMap((cause) => (cause === null ? [] : [{ do: 'warn', app: app.app, cause }]));
}

/** `containers` are all containers of the app's project, including those of other directories. */
function stepOf(
  app: AppObservation,
  owners: ReadonlyMap<string, string>,
  containers: readonly Container[],
  seen: Observation,
): Step {
  const name = app.app;
  if (app.blockedBy !== null) {
    const { kind, detail: cause, mustStop = false } = app.blockedBy;
    const isRunning = runningFrom(seen.containers, app.directory).length > 0;
    if (mustStop && isRunning) return { do: 'stop', app: name, cause, isError: kind === 'error' };
    return { do: kind === 'skip' ? 'skip' : 'fail', app: name, cause };
  }
  const owner = owners.get(app.project);
  if (owner !== undefined && owner !== name) {
    return { do: 'fail', app: name, cause: `its project ${app.project} is already that of the app ${owner}` };
  }
  const foreign = foreignDirectory(app, containers, seen);
  if (foreign !== null) {
    const cause = `its project ${app.project} is already in use by the containers of ${foreign}`;
    return { do: 'fail', app: name, cause };
  }
  return name === seen.first ? ownStep(app, containers) : otherStep(app, containers);
}

/** The app acted on is tried again after any failure, and also if it is only unhealthy. */
function ownStep(app: ReadyApp, containers: readonly Container[]): Step {
  const isHealthy = ({ health }: Container) => health === null || health === 'healthy';
  const cause = causeForUp(app, containers, (one) => isFine(one) && isHealthy(one));
  return cause === null ? inLine(app) : { do: 'up', app: app.app, cause, isVerified: true };
}

/** A fault that an `up` would not repair is only reported. choice/box/275, choice/box/278 */
function otherStep(app: ReadyApp, containers: readonly Container[]): Step {
  const name = app.app;
  if (app.failedUp?.why === 'images' && app.failedUp.error !== null) {
    return { do: 'warn', app: name, cause: `${app.failedUp.error}; the box tries again by itself` };
  }
  const own = containers.filter(({ oneOff }) => !oneOff);
  const isDown = app.failedUp?.why === 'down' && own.length > 0;
  // Somebody has paused a container on purpose.
  const isLeft = (one: Container) => isFine(one) || one.state === 'restarting' || one.state === 'paused';
  const cause = isDown ? null : causeForUp(app, own, isLeft);
  if (cause !== null) return { do: 'up', app: name, cause, isVerified: false };
  const faulty = own.find((one) => !isFine(one));
  if (faulty === undefined) return inLine(app);
  return { do: 'warn', app: name, cause: `its container ${faulty.name} is ${stateInWords(faulty)}` };
}

function inLine({ app }: ReadyApp): Step {
  return { do: 'leave', app, cause: 'in line' };
}

/** If apps share a project, the app that has its containers owns it, even if blocked; else the first by name. */
function projectOwners(
  apps: readonly AppObservation[],
  ofProject: (app: AppObservation) => readonly Container[],
): Map<string, string> {
  const owners = new Map<string, string>();
  const able = apps.filter(({ blockedBy }) => blockedBy === null);
  const running = apps.filter((app) => ofProject(app).some((one) => one.workingDirectory === app.directory));
  for (const { project, app } of [...running, ...able]) {
    if (!owners.has(project)) owners.set(project, app);
  }
  return owners;
}

/** A folder outside the installed apps whose containers have the app's project. They do not belong to the box. */
function foreignDirectory(app: AppObservation, containers: readonly Container[], seen: Observation): string | null {
  const directories = containers
    .map(({ workingDirectory }) => workingDirectory)
    .filter((directory) => directory !== '' && !isInside(directory, seen.installedApps));
  return directories.find((directory) => directory !== app.directory && seen.isDirectory(directory)) ?? null;
}

function causeForUp(
  { record, digest, due }: ReadyApp,
  containers: readonly Container[],
  isLeft: (container: Container) => boolean,
): string | null {
  const own = containers.filter(({ oneOff }) => !oneOff);
  if (record?.failure) return 'its last start failed';
  if (record === null || record.succeeded === null || record.containers.length === 0) {
    return own.length === 0 ? 'not brought up before' : 'its last start is not on record';
  }
  if (record.succeeded !== digest) return 'its Compose file or .env changed';
  if (due !== null) return due;
  const [missing] = missingContainers(record.containers, own);
  if (missing !== undefined) return `its container ${missing} is gone`;
  const stopped = own.find((container) => !isLeft(container));
  return stopped === undefined ? null : `its container ${stopped.name} is ${stateInWords(stopped)}`;
}

function isFine(container: Container): boolean {
  return container.state === 'running' || hasDoneItsWork(container);
}

function stateInWords({ state, exitCode, health }: Container): string {
  if (state === 'running') return health === 'starting' ? 'still starting' : `${health}`;
  if (state === 'restarting') return `restarting again and again after it ended with status ${exitCode}`;
  return state === 'exited' ? `stopped with status ${exitCode}` : state;
}

/** Projects of apps whose folder is gone, unless an existing folder has the same project. */
function lostProjects(seen: Observation): Step[] {
  const projects = new Map<string, string>();
  const kept = new Set(seen.apps.map(({ project }) => project));
  for (const { project, workingDirectory } of seen.containers) {
    if (kept.has(project)) continue;
    if (workingDirectory === '' || seen.isDirectory(workingDirectory)) kept.add(project);
    else if (isChild(workingDirectory, seen.installedApps)) projects.set(project, baseName(workingDirectory));
  }
  return [...projects]
    .filter(([project, app]) => !kept.has(project) && seen.known.has(app))
    .sort(([a], [b]) => compareNames(a, b))
    .map(([project, app]) => ({ do: 'down', app, project, cause: 'its folder is gone' }));
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`);
}

function isChild(path: string, directory: string): boolean {
  return isInside(path, directory) && !path.slice(directory.length + 1).includes('/');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : 1;
}
