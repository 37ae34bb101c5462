import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import { otherOwner, type Project, readProject, resolveProject } from '../app-files/project.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { keepVolumes, unnamedVolumes } from '../backup/kept-volumes.ts';
import { copyBeforeRemoval } from '../backup/update-copy.ts';
import { ContainersFailed, faultText, StorageFailed } from '../core.ts';
import { lookAtContainers } from '../engine/observer.ts';
import { type Container, stopTimeMs } from '../engine/rules/container.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import type { AppsBox } from './ports.ts';

/**
 * Brings an app's project down (its volumes and images stay), moves its directory into the trash, and withdraws its
 * public route. Returns a text about what went wrong or is left: no failure of containers or of the last backup keeps
 * the app. box/service/22-23, box/removeApp/1-6, box/post-rules/5, box/post-rules/11, box/states/8, choice/box/32,
 * should/box/115, choice/box/37, choice/box/116, choice/box/119, choice/gateway/315
 */
export async function removeApp(box: AppsBox, name: string): Promise<string | null> {
  refuseAbsent(box, name);
  const remove = async () => {
    refuseAbsent(box, name);
    box.operations.report({ step: 'stopping' });
    return removeFolderAndContainers(box, name);
  };
  const warning = await box.changes.run(remove, { app: name, kind: 'remove' });
  for (const line of await box.addresses.withdrawRemoved()) box.warn(line);
  return warning;
}

async function removeFolderAndContainers(box: AppsBox, name: string): Promise<string | null> {
  refuseMounted(box, name);
  const app = isAppName(name) ? box.apps.one('installed', name) : null;
  const notes: string[] = [];
  const note = (text: string | null) => text !== null && notes.push(text);
  if (app !== null && !box.folders.find('installed', name)?.link) note(await copyBeforeRemoval(box, app));
  const problem = await bringDown(box, name, note);
  note(problem);
  const shown = notes.length === 0 ? null : shownName(maskSecretsIn(box, notes.join('; '), name));
  await moveToTrash(box, name, problem === null).catch(
    ignore(StorageFailed, ({ message }) => refuse('deleteFailed', { app: name, reason: message })),
  );
  return shown;
}

/** The trash would take a mounted disk along, and erase it. Refuses before a container is touched. */
function refuseMounted(box: AppsBox, name: string): void {
  const [point] = box.folders.find('installed', name)?.link ? [] : box.disks.look().mountsIn(box.folders.path(name));
  if (point === undefined) return;
  refuse('deleteFailed', { app: name, reason: `a disk is mounted at ${point}; unmount it first: umount ${point}` });
}

/** Any directory can be removed by its exact name, even if no app may have that name. */
function refuseAbsent(box: AppsBox, name: string): void {
  const isEntry = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
  const isThere = isEntry && box.folders.list('installed').some((entry) => entry.name === name);
  if (!isThere) refuse('appNotInstalled', { app: name });
}

async function moveToTrash(box: AppsBox, name: string, isDown: boolean): Promise<void> {
  const entry = await box.trash.put(name);
  if (isAppName(name)) {
    // On a full disk the app is removed all the same.
    await forget(box, name, isDown).catch(ignore(StorageFailed, ({ message }) => box.warn(message)));
  }
  if (box.keepRemovedDays > 0) return;
  await box.trash.condemn(entry.id);
  await box.trash.eraseCondemned();
  box.trash.tidy();
}

/** Keeps the records from the next app of this name. While containers may run, a reconcile still needs its record. */
async function forget(box: AppsBox, name: string, isDown: boolean): Promise<void> {
  await box.installFiles.forget(name);
  await box.stopped.forget(name);
  if (!isDown) return;
  const records = box.records.load();
  if (records.delete(name)) await box.records.save(records);
}

/** Takes the project down. Returns `null`, or the reason why the project may still run. `note` gets what is left. */
async function bringDown(box: AppsBox, name: string, note: (text: string) => unknown): Promise<string | null> {
  if (!isAppName(name)) return 'no container was touched: no app can have the name of this directory';
  if (box.folders.find('installed', name)?.link) {
    return 'no container was touched: the directory was a link, and links are not followed';
  }
  try {
    const containers = await lookAtContainers(box);
    await keepUnnamed(box, name, containers);
    const asProblem = (error: unknown) => ({ ok: false as const, problem: faultText(box, error), isAbsent: false });
    const verdict = await readProject(box, name, box.records.load().get(name)).catch(asProblem);
    if (!verdict.ok) return await downByLabels(box, name, containers, verdict.isAbsent ? null : verdict.problem);
    return await downByFile(box, name, containers, await resolveProject(box, verdict.project), note);
  } catch (error) {
    return faultText(box, error);
  }
}

/** The app gets these volumes again when it comes back from the trash. They cannot be noted on a full disk. */
async function keepUnnamed(box: AppsBox, name: string, containers: readonly Container[]): Promise<void> {
  const directory = box.folders.path(name);
  try {
    const unnamed = await unnamedVolumes(box, name, comingFrom(directory, containers));
    if (unnamed.length > 0) await keepVolumes(box, directory, unnamed);
  } catch (error) {
    const isKnown = error instanceof StorageFailed || (error instanceof ContainersFailed && !error.unreachable);
    if (!isKnown) throw error;
    box.warn(`${error.message}; from the trash ${name} comes back without its volumes that have no name`);
  }
}

function comingFrom(directory: string, containers: readonly Container[]): Container[] {
  return containers.filter(({ workingDirectory }) => workingDirectory === directory);
}

async function downByFile(
  box: AppsBox,
  name: string,
  containers: readonly Container[],
  { compose }: Project,
  note: (text: string) => unknown,
): Promise<string | null> {
  const owner = otherOwner(box, containers, compose);
  if (owner !== null) return `no container was touched: the project ${compose.project} is that of ${owner}`;
  try {
    const stopMs = stopTimeMs(containers.filter(({ project }) => project === compose.project));
    for (const network of await box.containers.down(compose, stopMs)) {
      note(`its network ${network} is left, because a container that is not the app's uses it`);
    }
    const rest = comingFrom(compose.directory, containers).filter(({ project }) => project !== compose.project);
    const names = rest.map((one) => one.name).join(', ');
    if (rest.length > 0)
      note(`${names} ran from its folder as another project; ${await downAll(box, name, containers, rest)}`);
    return null;
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return downByLabels(box, name, containers, error.message);
  }
}

/** Takes down the containers that come from this directory. `problem` is `null` for an app without a Compose file. */
async function downByLabels(
  box: AppsBox,
  name: string,
  containers: readonly Container[],
  problem: string | null,
): Promise<string | null> {
  const own = comingFrom(box.folders.path(name), containers);
  if (own.length === 0) return problem;
  return `${problem ?? 'its Compose file is gone'}; ${await downAll(box, name, containers, own)}`;
}

/** Takes down the projects of these containers from an app's directory. Returns what was done. */
async function downAll(
  box: AppsBox,
  name: string,
  containers: readonly Container[],
  own: readonly Container[],
): Promise<string> {
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
    return 'its containers were taken down by their labels';
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    await box.containers.removeContainers(own.map(({ id }) => id));
    return 'its containers were removed one by one, a network may be left';
  }
}
