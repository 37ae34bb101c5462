import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { FilledFolder } from '../change/ports.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { sizeText } from '../rules/text/amounts.ts';
import { refuseUsedVolumes } from './kept-volumes.ts';
import { type AppFacts, parseFacts, type SavedVolume } from './rules/app-facts.ts';
import { latestBackups } from './rules/latest-backup.ts';
import { howExchanged, linkTarget } from './rules/places.ts';
import { boxTag, readTags, returnedTag } from './rules/snapshot-tags.ts';

/** The backup of an app, or of the box itself, whose id begins like this; `tags` is `null` for one of the box. */
export async function findSnapshot({ backup }: Pick<AppsBox, 'backup'>, id: string) {
  const [one, other] = (await backup.repository.snapshots()).flatMap((snapshot) => {
    const tags = readTags(snapshot.tags);
    const isKnown = tags !== null || snapshot.tags.includes(boxTag);
    return isKnown && snapshot.id.startsWith(id) ? [{ snapshot, tags }] : [];
  });
  if (one !== undefined && other === undefined) return one;
  const problem = one === undefined ? `there is no backup ${id}` : `several backups begin with ${id}`;
  throw new ResticFailed(`${problem}; boxgate box backup list shows all`, 'no-snapshot');
}

/** What a backup of an app says about it. */
export async function factsOf({ backup }: Pick<AppsBox, 'backup'>, snapshot: Snapshot): Promise<AppFacts> {
  const { id, shortId, paths } = snapshot;
  const path = paths.find((one) => one.includes('/backup-facts/'));
  const facts = path === undefined ? null : parseFacts(await backup.repository.read(id, path));
  if (facts === null) throw new ResticFailed(`${shortId} is no backup of an app that this box can read`, 'no-snapshot');
  return facts;
}

/**
 * Plans the exchange of the app's directory and volumes, and names those whose content cannot be exchanged. Volumes that
 * do not exist are made. Refuses volumes that another project uses.
 * @param refused - the snapshot that is not restored unless all of it can be; `null` if what can be put back is
 */
export async function planFolders(box: AppsBox, facts: AppFacts, refused: Snapshot | null) {
  const { files } = box.backup;
  const { app, directory } = facts;
  const own = box.folders.path(app);
  await refuseUsedVolumes(box, { ...facts, directory: own }, refused === null);
  const places = facts.isWithoutDirectory
    ? []
    : [{ what: own, target: own, path: directory, name: app as string | null }];
  for (const { name, path, labels } of facts.volumes) {
    places.push({
      what: `volume ${name}`,
      target: await box.containers.makeVolume(name, labels, facts.project),
      path,
      name: null,
    });
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
    .map(({ target, path, name, isMountPoint }) => files.plan(target, path, name, isMountPoint));
  return { folders, fixed };
}

export async function planNewVolumes(box: AppsBox, facts: AppFacts, project: string): Promise<FilledFolder[]> {
  const { files } = box.backup;
  const planned: FilledFolder[] = [];
  for (const { name, key, path } of newVolumes(facts, project)) {
    const labels = { 'com.docker.compose.project': project, 'com.docker.compose.volume': key };
    planned.push(files.plan(await box.containers.makeVolume(name, labels, project), path, null));
  }
  return planned;
}

/** The volumes of a backup under the names that they have in another project. */
export function newVolumes({ volumes }: AppFacts, project: string): SavedVolume[] {
  return volumes.map((volume) => ({ ...volume, name: `${project}_${volume.key}` }));
}

/** A restore must not fill the disk of the apps. `why` ends the sentence. */
export async function refuseWithoutRoom(box: AppsBox, folders: readonly string[], why = ''): Promise<void> {
  const [lack] = await box.backup.files.lacking(folders.filter(box.backup.files.isThere));
  if (lack === undefined) return;
  throw new StorageFailed(`${sizeText(lack.bytes)} more room is needed on the disk of ${lack.path}${why}`);
}

export function foldersOf(box: AppsBox, { app, volumes }: AppFacts): string[] {
  return [box.folders.path(app), ...volumes.map(({ path }) => path)];
}

/**
 * Restores the content of the folders beside their places, and makes it durable. The journal has to name the folders,
 * or a step that repeats all this.
 */
export async function fillBeside(box: AppsBox, id: string, folders: readonly FilledFolder[]): Promise<void> {
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
 * Notes in the repository that a removed app is there again. Otherwise, if the machine is lost before the next night,
 * `restore --all` would leave the app out. A failure is only a warning, as the next backup says the same.
 */
export async function markReturn(box: AppsBox, app: string): Promise<void> {
  const { repository } = box.backup;
  try {
    if (!(await repository.isAvailable())) return;
    const latest = latestBackups(await repository.snapshots(), box.now()).get(app);
    if (latest?.tags.isRemoved) await repository.addTags(latest.snapshot.id, [returnedTag]);
  } catch (error) {
    if (!(error instanceof ResticFailed)) throw error;
    if (error.fault === 'no-repository' || error.fault === 'no-key') return; // No backup was ever made.
    box.warn(`until its next backup, restore --all on another machine leaves ${app} out: ${error.message}`);
  }
}
