import type { CommandResult } from '../../lib/command-result.ts';
import { type MadeSnapshot, ResticFailed } from '../../restic/ports.ts';
import { ownerOfProject, refuseOtherOwner } from '../app-files/project.ts';
import type { AppsBox } from '../apps/ports.ts';
import { carryOut, warnOfAnswer } from '../change/carry-out.ts';
import { finishBackup, refuseWaiting } from '../change/finish.ts';
import type { FormerImage } from '../change/rules/journal.ts';
import { ContainersFailed } from '../core.ts';
import { allContainers } from '../engine/observer.ts';
import { reconcile } from '../engine/reconcile.ts';
import { containersOfFolder } from '../engine/rules/container.ts';
import { appOutcome } from '../engine/rules/outcomes.ts';
import { forgetStop } from '../engine/stop-and-start.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import { type AppCopy, copyStopped, finishSnapshot, planCopy } from './app-copy.ts';
import { factsOf, fillBeside, findSnapshot, markReturn, planFolders } from './fill-folders.ts';
import { keepVolumes } from './kept-volumes.ts';
import type { AppFacts, SavedImage, SavedVolume } from './rules/app-facts.ts';
import { leftOutLines, restoredText } from './rules/backup-texts.ts';
import { backupWarnings, type Latest, latestBackups, whyNoLatest } from './rules/latest-backup.ts';

/**
 * Brings an app back as a backup has it: directory, settings, volumes and images. The present app goes to the trash, and
 * a backup of its data is made before. The new content is complete before the present app is stopped.
 * @param id - the beginning of a snapshot's id; empty for the latest one
 */
export async function restoreFromBackup(box: AppsBox, name: string, id: string): Promise<CommandResult> {
  const result = await box.changes.run(async () => {
    const { files } = box.backup;
    refuseWaiting(box, name);
    const { snapshot, facts } = await findBackupOf(box, name, id);
    const present = await planPresent(box, facts);
    const { folders } = await planFolders(box, facts, snapshot);
    await files.writeJournal({ app: name, operation: 'restore', way: 'back', folders });
    let secured: MadeSnapshot | null = null;
    try {
      await fillBeside(box, snapshot.id, folders);
      const own = folders.find(({ path }) => path === facts.directory)?.staged ?? box.folders.path(name);
      await keepVolumes(box, own, facts.volumes);
      const images = await availableImages(box, facts.images);
      if (present !== null) secured = (await copyStopped(box, present, { reason: 'restore', folders })).snapshot;
      // On a full disk this fails, and the containers, which are stopped, can be started again.
      const change = { app: name, operation: 'restore', folders, images, toTrash: true };
      await carryOut(box, change, [facts.project, present?.facts.project ?? facts.project]);
    } catch (error) {
      await finishBackup(box, false);
      // The failure of the restore is the one to tell.
      if (files.journal() === null) await files.discard(folders).catch(() => undefined);
      throw error;
    }
    if (facts.install !== null) await files.writeInstallRecord(name, facts.install);
    if (secured !== null) secured = await finishSnapshot(box, secured, null);
    await forgetStop(box, name);
    const { isUp, ending, lines } = appOutcome(name, await reconcile(box, name));
    const done = restoredText(facts, snapshot, secured?.id ?? null);
    return { status: isUp ? 0 : 1, text: [`${done}${ending}`, ...lines, ...leftOutLines(facts.leftOut)].join('\n') };
  });
  await markReturn(box, name);
  return result;
}

/** A backup of this app, and what it says about it. `id`: the beginning of a snapshot's id; empty for the latest one. */
export async function findBackupOf(box: AppsBox, name: string, id: string) {
  const { snapshot } = id === '' ? await latestOf(box, name) : await findSnapshot(box, id);
  const facts = await factsOf(box, snapshot);
  if (facts.app !== name) throw new ResticFailed(`${snapshot.shortId} is a backup of ${facts.app}`, 'no-snapshot');
  return { snapshot, facts };
}

async function latestOf(box: AppsBox, name: string): Promise<Latest> {
  const snapshots = await box.backup.repository.snapshots();
  for (const text of backupWarnings(snapshots, box.now())) box.warn(text);
  const latest = latestBackups(snapshots, box.now()).get(name);
  if (latest === undefined) throw new ResticFailed(whyNoLatest(snapshots, name, box.now()), 'no-snapshot');
  return latest;
}

/**
 * What the restore replaces: the present app, and volumes that are left of an earlier one; `null` if there is nothing.
 * Refuses a project that another app or another folder has.
 */
async function planPresent(box: AppsBox, facts: AppFacts): Promise<AppCopy | null> {
  const { app: name, project } = facts;
  const all = await allContainers(box);
  const directory = box.folders.path(name);
  refuseOtherOwner(box, all, { project, directory });
  const owner = await ownerOfProject(box, name, project);
  if (owner !== null) throw new ContainersFailed(`the project ${project} is that of the app ${owner}`, false);

  const app = box.apps.one('installed', name);
  if (app === null && facts.isWithoutDirectory) {
    throw new ContainersFailed(`this backup has only volumes of ${name}; install ${name} first`, false);
  }
  const ran = containersOfFolder(all, { project, directory }).filter(isActive);
  const copy = app === null ? null : await planCopy(box, app);
  const known = new Set(copy?.facts.volumes.map((volume) => volume.name));
  const left = (await presentVolumes(box, facts)).filter((volume) => !known.has(volume.name));
  if (copy !== null) return { ...copy, facts: { ...copy.facts, volumes: [...copy.facts.volumes, ...left] } };
  if (left.length === 0 && ran.length === 0) return null;
  const bare = { ...facts, directory, images: [], leftOut: [], install: null, volumes: left };
  return { ran, excludes: [], facts: { ...bare, isWithoutDirectory: true } };
}

/** The volumes of the backup that this machine has, with their folders here. */
async function presentVolumes(box: AppsBox, { volumes: saved }: AppFacts): Promise<SavedVolume[]> {
  const names = saved.map(({ name }) => name);
  const here = await box.containers.volumes(null, names);
  return saved.flatMap((volume) =>
    here.filter(({ name }) => name === volume.name).map(({ mountpoint }) => ({ ...volume, path: mountpoint })),
  );
}

/** The images of the backup that this machine has, or can pull by their digest. For others the tag counts. */
async function availableImages(box: AppsBox, images: readonly SavedImage[]): Promise<FormerImage[]> {
  const found: FormerImage[] = [];
  const here = await box.containers.imageIds(images.map(({ id }) => id));
  for (const { tag, id, digests } of images.filter((one) => !one.tag.includes('@'))) {
    const from = here.has(id) ? id : await pulled(box, digests[0]);
    if (from !== undefined) found.push({ from, tag });
  }
  return found;
}

async function pulled(box: AppsBox, digest: string | undefined): Promise<string | undefined> {
  try {
    if (digest !== undefined) await box.containers.pullImage(digest);
    return digest;
  } catch (error) {
    warnOfAnswer(box, error);
    return undefined;
  }
}
