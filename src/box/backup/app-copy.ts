import type { MadeSnapshot } from '../../restic/ports.ts';
import { type Project, readProject, refuseOtherOwner, resolveProject } from '../app-files/project.ts';
import type { AppsBox } from '../apps/ports.ts';
import { refuseWaiting } from '../change/finish.ts';
import type { ReplacedFolder } from '../change/rules/journal.ts';
import { ContainersFailed } from '../core.ts';
import { allContainers } from '../engine/observer.ts';
import { reconcile } from '../engine/reconcile.ts';
import { type Container, containersOfFolder } from '../engine/rules/container.ts';
import { appOutcome } from '../engine/rules/outcomes.ts';
import { startSteps } from '../engine/rules/start-order.ts';
import { startNoted, stopNoted } from '../engine/stop-and-start.ts';
import type { KnownApp } from '../known-apps.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import { holdersOf, usersOf } from './kept-volumes.ts';
import { type AppFacts, factsText } from './rules/app-facts.ts';
import { excludedPaths, mountedVolumes, placesOf } from './rules/places.ts';
import { draftTag, incompleteTag, type Reason, tagsOf } from './rules/snapshot-tags.ts';

export type AppCopy = {
  /** The containers that run now. */
  ran: Container[];
  excludes: { folder: string; pattern: string }[];
  facts: AppFacts;
};

/** Looks at the app and its data. Throws ContainersFailed if Docker does not say what there is. */
export async function planCopy(box: AppsBox, { name, manifest }: KnownApp): Promise<AppCopy> {
  refuseWaiting(box, name);
  const [all, project] = await Promise.all([allContainers(box), projectIfReadable(box, name)]);
  const directory = box.folders.path(name);
  const present = all.find(({ workingDirectory }) => workingDirectory === directory)?.project;
  const own = { project: project?.compose.project ?? present ?? projectOfDirectory(name), directory };
  refuseOtherOwner(box, all, own);

  const containers = containersOfFolder(all, own);
  const holders = await holdersOf(box, directory, containers);
  const { files } = box.backup;
  const [found, digests] = await Promise.all([
    box.containers.volumes(own.project, mountedVolumes(holders)),
    box.containers.imageDigests([...new Set(containers.map(({ imageId }) => imageId))]),
  ]);
  const places = placesOf({
    ...own,
    volumes: found,
    containers: holders,
    declared: project?.model.volumes,
    rules: manifest?.backup,
    paths: box.disks.look(),
  });
  return {
    ran: containers.filter(isActive),
    excludes: excludedPaths(directory, manifest?.backup),
    facts: {
      app: name,
      version: manifest?.version ?? '',
      ...own,
      images: containers.map(({ service, image, imageId: id }) => {
        const tag = project?.model.services[service]?.image ?? image;
        return { service, tag, id, digests: digests.get(id) ?? [] };
      }),
      volumes: places.saved.map((volume) => {
        const usedBy = usersOf(volume.name, all, own).filter(isActive);
        return usedBy.length === 0 ? volume : { ...volume, usedBy: usedBy.map((one) => one.name) };
      }),
      leftOut: places.leftOut,
      install: files.installRecord(name),
    },
  };
}

/** `null` for an app whose Compose file is missing or broken: its data can be saved all the same. */
async function projectIfReadable(box: AppsBox, name: string): Promise<Project | null> {
  const verdict = await readProject(box, name, box.records.load().get(name));
  if (!verdict.ok) return null;
  const project = await resolveProject(box, verdict.project);
  return project.problem === null ? project : null;
}

export type Pass = {
  reason: Reason;
  /** The first pass, of the running app. The next pass of the same folders reads only what changed since. */
  isDraft?: boolean;
  /** Restored folders to discard if the work is cut off. */
  folders?: ReplacedFolder[];
};

export async function takeSnapshot(box: AppsBox, { excludes, facts }: AppCopy, { reason, isDraft = false }: Pass) {
  const { app, version, directory, volumes, isWithoutDirectory } = facts;
  const { files, repository } = box.backup;
  const paths = [...(isWithoutDirectory ? [] : [directory]), ...volumes.map(({ path }) => path)];
  // Restic only warns about a missing path.
  const missing = paths.find((path) => !files.isThere(path));
  if (missing !== undefined)
    throw new ContainersFailed(`the folder ${missing} of a volume is not on this machine`, false);
  const factsFile = await files.writeFacts(app, factsText(facts));
  const tags = [...tagsOf({ app, reason, version }), ...(isDraft ? [draftTag] : [])];
  const isUrgent = !isDraft || reason === 'update';
  return repository.backUp({ paths: [...paths, factsFile], excludes, tags, isUrgent });
}

/** `stoppedAt` is `null` if nothing ran. */
export type StoppedCopy = { snapshot: MadeSnapshot; stoppedAt: number | null };

/**
 * Stops the app and makes the snapshot that counts. The journal says that the app has to be started again. If the
 * snapshot fails, the app is started before the failure is thrown.
 */
export async function copyStopped(box: AppsBox, copy: AppCopy, pass: Pass): Promise<StoppedCopy> {
  const { ran, facts } = copy;
  if (ran.length === 0) return { snapshot: await takeSnapshot(box, copy, pass), stoppedAt: null };
  const { app } = facts;
  const stoppedAt = box.now().getTime();
  try {
    const operation = ['manual', 'schedule'].includes(pass.reason) ? 'backup' : pass.reason;
    await stopNoted(box, app, ran, { operation, folders: pass.folders });
    box.operations.report({ step: 'backing_up' });
    return { snapshot: await takeSnapshot(box, copy, pass), stoppedAt };
  } catch (error) {
    const fault = await startAgain(box, copy);
    if (fault !== null) box.warn(`${app} was stopped for a copy${fault}`);
    throw error;
  }
}

/**
 * Starts the containers that ran before the copy, and closes the journal. If one cannot be started, the app is brought
 * up as by a change. Returns the end of a sentence if it does not run, else `null`. Throws ContainersFailed, and keeps the
 * journal, if the engine does not answer.
 */
export async function startAgain(box: AppsBox, { ran, facts: { app } }: AppCopy): Promise<string | null> {
  if (ran.length === 0) return null;
  if ((await startNoted(box, app, startSteps(ran))) === null) return null;
  const { isUp, ending } = appOutcome(app, await reconcile(box, app));
  return isUp ? null : ending;
}

/**
 * Marks a snapshot that lacks files, and forgets its first pass. A failure is only a warning, because the snapshot is
 * complete. Returns the snapshot with its final id.
 * @param draft - `null` if there was no first pass; left out if it is forgotten later
 */
export async function finishSnapshot(box: AppsBox, snapshot: MadeSnapshot, draft?: MadeSnapshot | null) {
  const { repository } = box.backup;
  let { id } = snapshot;
  try {
    if (snapshot.unread.length > 0) id = await repository.addTags(id, [incompleteTag]);
    if (draft) await repository.forget([draft.id], false);
    else if (draft === null) await repository.unlock(); // A backup that failed before may have left its lock.
  } catch (error) {
    box.warn(`the backup ${snapshot.id.slice(0, 8)} is complete, but: ${(error as Error).message}`);
  }
  return { ...snapshot, id };
}
