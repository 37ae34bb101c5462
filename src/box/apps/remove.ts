import { shownName } from '../../lib/shown-text.ts';
import { copyBeforeRemoval } from '../backup/update-copy.ts';
import { type AppChange, type BoxPorts, ContainersFailed, StorageFailed, type TrashEntry } from '../ports.ts';
import { lookAtContainers } from '../reconcile/observer.ts';
import { refuse } from '../refusals.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import { type Container, stopTimeMs } from '../rules/reconcile/container.ts';
import { faultText } from './fault-text.ts';
import { otherOwner, type Project, type ProjectVerdict, readProject, resolveProject } from './project.ts';
import { maskSecretsIn } from './secrets.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Brings an app's project down (its volumes and images stay), moves its directory into the trash, and withdraws its
 * public route. Returns a text about containers that could not be stopped; such a failure does not keep the app.
 * box/service/22-23, box/removeApp/1-6, box/post-rules/5, box/post-rules/11, box/states/8, choice/box/32,
 * should/box/115, choice/box/37, choice/box/116, choice/box/119, choice/gateway/315
 */
export async function removeApp(box: BoxPorts, name: string): Promise<string | null> {
  refuseAbsent(box, name);
  const change: AppChange = { app: name, kind: 'remove' };
  const warning = await box.changes.run(async () => {
    refuseAbsent(box, name);
    box.operations.report({ step: 'stopping' });
    return removeFolderAndContainers(box, name);
  }, change);
  for (const line of await box.publicRoutes.withdrawRemoved()) box.warn(line);
  return warning;
}

async function removeFolderAndContainers(box: BoxPorts, name: string): Promise<string | null> {
  const app = isAppName(name) ? box.apps.one('installed', name) : null;
  if (app !== null && !box.folders.find('installed', name)?.link) await copyBeforeRemoval(box, app);
  const warning = await bringDown(box, name);
  const shown = warning === null ? null : shownName(maskSecretsIn(box, warning, name));
  await moveToTrash(box, name, warning === null);
  return shown;
}

/** Any directory can be removed by its exact name, even if no app may have that name. */
function refuseAbsent(box: BoxPorts, name: string): void {
  const isEntry = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
  const isThere = isEntry && box.folders.list('installed').some((entry) => entry.name === name);
  if (!isThere) refuse('appNotInstalled', { app: name });
}

async function moveToTrash(box: BoxPorts, name: string, isDown: boolean): Promise<void> {
  try {
    const entry = await box.trash.put(name);
    if (isAppName(name)) await forget(box, name, isDown);
    if (box.keepRemovedDays > 0) return;
    await box.trash.condemn(entry.id);
    await box.trash.eraseCondemned();
    box.trash.tidy();
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    refuse('deleteFailed', { app: name, reason: error.message });
  }
}

/**
 * Deletes the records of a removed app, so that they do not apply to the next app of its name. If its containers may
 * still run, its record stays until a reconcile takes them down. On a full disk the records stay, and the app is
 * removed all the same.
 */
async function forget(box: BoxPorts, name: string, isDown: boolean): Promise<void> {
  try {
    await box.installFiles.forget(name);
    if (!isDown) return;
    const records = box.records.load();
    if (records.delete(name)) await box.records.save(records);
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    box.warn(error.message);
  }
}

/** Takes the project down. Returns `null`, or the reason why the project may still run. */
async function bringDown(box: BoxPorts, name: string): Promise<string | null> {
  if (!isAppName(name)) {
    return 'no container was touched: no app can have the name of this directory';
  }
  if (box.folders.find('installed', name)?.link) {
    return 'no container was touched: the directory was a link, and links are not followed';
  }
  try {
    const containers = await lookAtContainers(box);
    const asProblem = (error: unknown): ProjectVerdict => ({
      ok: false,
      problem: faultText(box, error),
      isAbsent: false,
    });
    const verdict = await readProject(box, name, box.records.load().get(name)).catch(asProblem);
    if (!verdict.ok) return await downByLabels(box, name, containers, verdict.isAbsent ? null : verdict.problem);
    return await downByFile(box, name, containers, await resolveProject(box, verdict.project));
  } catch (error) {
    return faultText(box, error);
  }
}

async function downByFile(
  box: BoxPorts,
  name: string,
  containers: readonly Container[],
  { compose }: Project,
): Promise<string | null> {
  const owner = otherOwner(box, containers, compose);
  if (owner !== null) return `no container was touched: the project ${compose.project} is that of ${owner}`;
  try {
    await box.containers.down(compose, stopTimeMs(containers.filter(({ project }) => project === compose.project)));
    return null;
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return downByLabels(box, name, containers, error.message);
  }
}

/**
 * Takes down the containers that come from this directory, without a readable Compose file. `problem` is `null` for an
 * app without a Compose file.
 */
async function downByLabels(
  box: BoxPorts,
  name: string,
  containers: readonly Container[],
  problem: string | null,
): Promise<string | null> {
  const own = containers.filter(({ workingDirectory }) => workingDirectory === box.folders.path(name));
  if (own.length === 0) return problem;
  const why = problem ?? 'its Compose file is gone';
  try {
    const projects = new Set(own.map((container) => container.project));
    const directory = box.folders.path(name);
    const shared = [...projects].filter((project) => otherOwner(box, containers, { project, directory }) !== null);
    for (const project of projects) {
      if (!shared.includes(project))
        await box.containers.downByName(project, stopTimeMs(own.filter((one) => one.project === project)));
    }
    // If another folder shares the project, only containers from this one are removed.
    const rest = own.filter(({ project }) => shared.includes(project));
    await box.containers.removeContainers(rest.map(({ id }) => id));
    return `${why}; its containers were taken down by their labels`;
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    await box.containers.removeContainers(own.map(({ id }) => id));
    return `${why}; its containers were removed one by one, a network may be left`;
  }
}

/**
 * Erases apps whose time in the trash is over. Called at a start and once a day. Only choosing them takes a turn among
 * the changes; erasing may take minutes and blocks no change.
 */
export async function purgeTrash(box: BoxPorts): Promise<void> {
  try {
    if (dueEntries(box).length > 0) {
      await box.changes.run(async () => {
        for (const { id } of dueEntries(box)) await box.trash.condemn(id);
      });
    }
    if (await box.trash.eraseCondemned()) await box.changes.run(async () => box.trash.tidy());
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    box.warn(error.message);
  }
}

function dueEntries(box: BoxPorts): TrashEntry[] {
  const oldest = box.now().getTime() - box.keepRemovedDays * dayMs;
  return box.trash.list().filter(({ removedAt }) => removedAt.getTime() <= oldest);
}
