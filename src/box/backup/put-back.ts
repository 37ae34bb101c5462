import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { ChangeJournal, FormerImage, ReplacedFolder } from '../change/rules/journal.ts';
import { lookAtContainers } from '../engine/observer.ts';
import { hasDoneItsWork, ownContainers } from '../engine/rules/container.ts';
import { type BoxPorts, ContainersFailed, StorageFailed } from '../ports.ts';
import { keepVolumes, refuseUsedVolumes, unnamedVolumes } from './kept-volumes.ts';
import { type AppFacts, type LeftOut, parseFacts, type SavedVolume } from './rules/app-facts.ts';
import { sizeText } from './rules/backup-texts.ts';
import { latestBackups } from './rules/latest-backup.ts';
import { howExchanged, linkTarget } from './rules/places.ts';
import { readTags, returnedTag, type SnapshotTags } from './rules/snapshot-tags.ts';

export type FoundBackup = { snapshot: Snapshot; tags: SnapshotTags; facts: AppFacts };

/** The backup whose id begins like this, and what it says about its app. */
export async function findSnapshot(box: BoxPorts, id: string): Promise<FoundBackup> {
  const [one, other] = (await box.backup.repository.snapshots([])).flatMap((snapshot) => {
    const tags = snapshot.id.startsWith(id) ? readTags(snapshot.tags) : null;
    return tags === null ? [] : [{ snapshot, tags }];
  });
  if (one === undefined || other !== undefined) {
    const problem = one === undefined ? `there is no backup ${id}` : `several backups begin with ${id}`;
    throw new ResticFailed(`${problem}; boxgate box backup list shows all`, 'no-snapshot');
  }
  return withFacts(box, one);
}

export async function withFacts(
  { backup: { repository } }: BoxPorts,
  found: Omit<FoundBackup, 'facts'>,
): Promise<FoundBackup> {
  const { id, shortId, paths } = found.snapshot;
  const path = paths.find((one) => one.includes('/backup-facts/'));
  const facts = path === undefined ? null : parseFacts(await repository.read(id, path));
  if (facts === null) throw new ResticFailed(`${shortId} is no backup of an app that this box can read`, 'no-snapshot');
  return { ...found, facts };
}

/** A folder to be replaced by what a snapshot has at `path`. */
export type FilledFolder = ReplacedFolder & { path: string };

/**
 * Plans the exchange of the app's directory and volumes, and names those whose content cannot be exchanged. Volumes that
 * do not exist are made. Refuses volumes that another project uses.
 * @param refused - the snapshot that is not restored unless all of it can be; `null` if what can be put back is
 */
export async function planFolders(
  box: BoxPorts,
  facts: AppFacts,
  refused: Snapshot | null,
): Promise<{ folders: FilledFolder[]; fixed: LeftOut[] }> {
  const { files, volumes } = box.backup;
  const { app, directory } = facts;
  const own = box.folders.path(app);
  await refuseUsedVolumes(box, { ...facts, directory: own }, refused === null);
  const places = facts.isWithoutDirectory
    ? []
    : [{ what: own, target: own, path: directory, name: app as string | null }];
  for (const { name, path, labels } of facts.volumes) {
    places.push({ what: `volume ${name}`, target: await volumes.make(name, labels, facts.project), path, name: null });
  }
  const paths = box.disks.look();
  const judged = places.map((place) => ({ ...place, ...howExchanged(place.target, place.name === null, paths) }));
  const fixed = judged.flatMap(({ what, problem }) => (problem === null ? [] : [{ what, why: problem }]));
  const [first] = fixed;
  if (refused !== null && first !== undefined) {
    const way = `put the files of the backup elsewhere: boxgate box backup restore ${refused.shortId} --to FOLDER`;
    const text = `${first.what} cannot be replaced, because ${first.why}; unmount it first, or ${way}`;
    throw new ContainersFailed(text, false);
  }
  const folders = judged
    .filter(({ problem }) => problem === null)
    .map(({ target, path, name, isMountPoint }) => ({ ...files.plan(target, path, name, isMountPoint), path }));
  return { folders, fixed };
}

export async function planNewVolumes(box: BoxPorts, facts: AppFacts, project: string): Promise<FilledFolder[]> {
  const { files, volumes } = box.backup;
  const planned: FilledFolder[] = [];
  for (const { name, key, path } of newVolumes(facts, project)) {
    const labels = { 'com.docker.compose.project': project, 'com.docker.compose.volume': key };
    planned.push({ ...files.plan(await volumes.make(name, labels, project), path, null), path });
  }
  return planned;
}

/** The volumes of a backup under the names that they have in another project. */
export function newVolumes({ volumes }: AppFacts, project: string): SavedVolume[] {
  return volumes.map((volume) => ({ ...volume, name: `${project}_${volume.key}` }));
}

/** A restore must not fill the disk of the apps. `why` ends the sentence. */
export async function refuseWithoutRoom(box: BoxPorts, folders: readonly string[], why = ''): Promise<void> {
  const [lack] = await box.backup.files.lacking(folders.filter(box.backup.files.isThere));
  if (lack === undefined) return;
  throw new StorageFailed(`${sizeText(lack.bytes)} more room is needed on the disk of ${lack.path}${why}`);
}

export function foldersOf(box: BoxPorts, { app, volumes }: AppFacts): string[] {
  return [box.folders.path(app), ...volumes.map(({ path }) => path)];
}

/**
 * Restores the content of the folders beside their places, and makes it durable. The journal has to name the folders,
 * or a step that repeats all this.
 */
export async function fillBeside(box: BoxPorts, id: string, folders: readonly FilledFolder[]): Promise<void> {
  const { files, repository } = box.backup;
  await files.begin(folders);
  for (const { path, staged } of folders) {
    await repository.restore(id, staged.slice(0, -path.length), path);
    const isFolder = box.folders.isDirectory(staged) && linkTarget(staged, box.disks.look()) === null;
    if (!isFolder) throw new ResticFailed(`the backup ${id} has no folder ${path}`, 'no-snapshot');
  }
  await files.sync(folders);
}

/**
 * Puts restored folders in place, and gives images the tags that they had. The journal goes `forth`, and is closed.
 * Can be repeated after a crash.
 */
export async function swapIn(
  box: BoxPorts,
  { app, folders = [], images = [], toTrash = false }: ChangeJournal,
): Promise<void> {
  const { files } = box.backup;
  const own = folders.find(({ target }) => target === box.folders.path(app));
  if (toTrash && own !== undefined && files.isThere(own.staged) && files.isThere(own.target)) await box.trash.put(app);
  await files.swap(folders);
  await forgetRecord(box, app);
  for (const image of images) await tagAgain(box, image);
  await files.discard(folders);
  await files.writeJournal(null);
}

/** A full disk does not keep the app from its start: the next reconcile compares a record that stays. */
async function forgetRecord(box: BoxPorts, app: string): Promise<void> {
  const records = box.records.load();
  if (!records.delete(app)) return;
  await box.records.save(records).catch((error: unknown) => {
    if (!(error instanceof StorageFailed)) throw error;
    box.warn(error.message);
  });
}

/** Writes a warning if Docker has refused something; throws any other error again. */
export function warnOfAnswer(box: BoxPorts, error: unknown, begin = ''): void {
  if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
  box.warn(`${begin}${error.message}`);
}

/** An image that is gone is pulled by the next start, by its tag. */
async function tagAgain(box: BoxPorts, { from, tag }: FormerImage): Promise<void> {
  await box.containers.tag(from, tag).catch((error: unknown) => {
    warnOfAnswer(box, error, `${tag} is not the image of before: `);
  });
}

/**
 * Leaves an app stopped whose data could not be put back, so that the old version does not start with data that the new
 * one has changed. A restore or a change of this app ends that. Returns what to say about it.
 */
export async function holdBack(
  box: BoxPorts,
  { app, snapshot, images = [] }: { app: string; snapshot: string; images?: readonly FormerImage[] },
  why: string,
): Promise<string> {
  const way = `run boxgate box backup restore ${app} ${snapshot.slice(0, 8)}; to go on with the data as it is, start it`;
  const held = `the data of before a failed update could not be put back (${why}), so the app stays stopped; ${way}`;
  const records = box.records.load();
  const record = records.get(app);
  if (record !== undefined) await box.records.save(records.set(app, { ...record, failure: held, held }));
  const directory = box.folders.path(app);
  const own = (await lookAtContainers(box)).filter((one) => one.workingDirectory === directory);
  await keepVolumes(box, directory, await unnamedVolumes(box, app, own));
  await box.containers.removeContainers(own.map(({ id }) => id));
  for (const image of images) await tagAgain(box, image);
  await box.backup.files.writeJournal(null);
  await box.observer.look();
  return held;
}

/** Removes the containers of a project, because they hold its folders. Jobs that have done their work hold none. */
export async function removeContainersOf(box: BoxPorts, projects: readonly string[]): Promise<void> {
  const containers = await lookAtContainers(box);
  const own = [...new Set(projects)].flatMap((project) => ownContainers(containers, project));
  await box.containers.removeContainers(own.filter((one) => !hasDoneItsWork(one)).map(({ id }) => id));
}

/**
 * Puts the data of a snapshot back after a failed update. The caller starts the app.
 * @param known - the facts of the snapshot; read from it if left out
 * @returns the places that the new version may have changed and that stay as they are
 */
export async function putBack(
  box: BoxPorts,
  { app, snapshot: id, images }: { app: string; snapshot: string; images: FormerImage[] },
  known?: AppFacts,
): Promise<LeftOut[]> {
  const facts = known ?? (await findSnapshot(box, id)).facts;
  const { folders, fixed } = await planFolders(box, facts, null);
  await fillBeside(box, id, folders);
  const own = box.folders.path(app);
  await keepVolumes(box, folders.find(({ target }) => target === own)?.staged ?? own, facts.volumes);
  await removeContainersOf(box, [facts.project]);
  const journal: ChangeJournal = { app, operation: 'restore', way: 'forth', folders, images };
  await box.backup.files.writeJournal(journal);
  await swapIn(box, journal);
  return [...fixed, ...facts.leftOut.filter(({ isReadOnly }) => !isReadOnly)];
}

/**
 * Notes in the repository that a removed app is there again. Otherwise, if the machine is lost before the next night,
 * `restore --all` would leave the app out. A failure is only a warning, as the next backup says the same.
 */
export async function markReturn(box: BoxPorts, app: string): Promise<void> {
  const { repository } = box.backup;
  try {
    if (!(await repository.isAvailable())) return;
    const latest = latestBackups(await repository.snapshots([]), box.now()).get(app);
    if (latest?.tags.isRemoved) await repository.addTags(latest.snapshot.id, [returnedTag]);
  } catch (error) {
    if (!(error instanceof ResticFailed)) throw error;
    if (error.fault === 'no-repository' || error.fault === 'no-key') return; // No backup was ever made.
    box.warn(`until its next backup, restore --all on another machine leaves ${app} out: ${error.message}`);
  }
}
