import { ResticFailed } from '../../restic/ports.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import type { FormerImage, ReplacedFolder } from '../backup-ports.ts';
import { type BoxPorts, ContainersFailed } from '../ports.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { SavedImage } from '../rules/backup/app-facts.ts';
import { restoredText } from '../rules/backup/backup-texts.ts';
import { latestBackups, whyNoLatest } from '../rules/backup/latest-backup.ts';
import { appOutcome } from '../rules/reconcile/app-outcome.ts';
import { copyStopped, finishSnapshot, planCopy, type StoppedCopy } from './app-copy.ts';
import { finishBackup } from './finish-backup.ts';
import { fillBeside, findSnapshot, planFolders, removeContainersOf, swapIn } from './put-back.ts';

/**
 * Brings an app back as a backup has it: directory, settings, volumes and images. The present app goes to the trash, and
 * a backup of its data is made before. The new content is complete before the present app is stopped.
 * @param id - the beginning of a snapshot's id; empty for the latest one
 */
export function restoreFromBackup(box: BoxPorts, name: string, id: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    const { files } = box.backup;
    const { snapshot, facts } = await findBackupOf(box, name, id);
    const folders = await planFolders(box, facts);
    await files.writeJournal({ step: 'filling', app: name, folders });
    let present: PresentApp | null;
    try {
      await fillBeside(box, snapshot.id, folders);
      const images = await availableImages(box, facts.images);
      present = await securePresent(box, name, folders);
      const swap = { app: name, folders, images, toTrash: true };
      // On a full disk this fails, and the containers, which are stopped, can be started again.
      await files.writeJournal({ step: 'swapping', ...swap });
      await removeContainersOf(box, [facts.project, present?.project ?? facts.project]);
      await swapIn(box, swap);
    } catch (error) {
      await finishBackup(box, false);
      throw error;
    }
    if (facts.install !== null) await files.writeInstallRecord(name, facts.install);
    const secured = present === null ? null : await finishSnapshot(box, present.snapshot);
    const { isUp, ending, lines } = appOutcome(name, await reconcile(box, name));
    const done = restoredText(facts, snapshot, secured?.id ?? null);
    return { status: isUp ? 0 : 1, text: [`${done}${ending}`, ...lines].join('\n') };
  });
}

/**
 * A backup of this app, and what it says about the app.
 * @param id - the beginning of a snapshot's id; empty for the latest one
 */
export async function findBackupOf(box: BoxPorts, name: string, id: string): ReturnType<typeof findSnapshot> {
  const found = await findSnapshot(box, id === '' ? await latestOf(box, name) : id);
  if (found.facts.app !== name) throw new ResticFailed(`${id} is a backup of ${found.facts.app}`, 'no-snapshot');
  return found;
}

async function latestOf(box: BoxPorts, name: string): Promise<string> {
  const snapshots = await box.backup.repository.snapshots([]);
  const latest = latestBackups(snapshots, box.now()).get(name);
  if (latest === undefined) throw new ResticFailed(whyNoLatest(snapshots, name, box.now()), 'no-snapshot');
  return latest.snapshot.id;
}

type PresentApp = StoppedCopy & { project: string };

/** Stops the present app and saves its data; `null` if the app is not installed. */
async function securePresent(box: BoxPorts, name: string, folders: ReplacedFolder[]): Promise<PresentApp | null> {
  const app = box.apps.one('installed', name);
  if (app === null) return null;
  const copy = await planCopy(box, app);
  return { ...(await copyStopped(box, copy, { reason: 'restore', folders })), project: copy.facts.project };
}

/** The images of the backup that this machine has, or can pull by their digest. For others the tag counts. */
async function availableImages(box: BoxPorts, images: readonly SavedImage[]): Promise<FormerImage[]> {
  const found: FormerImage[] = [];
  for (const { tag, id, digests } of images) {
    const [digest] = digests;
    if ((await box.containers.imageIds([id])).has(id)) found.push({ from: id, tag });
    else if (digest !== undefined && (await isPulled(box, digest))) found.push({ from: digest, tag });
  }
  return found.filter(({ tag }) => !tag.includes('@'));
}

async function isPulled(box: BoxPorts, digest: string): Promise<boolean> {
  try {
    await box.backup.volumes.pullImage(digest);
    return true;
  } catch (error) {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    box.warn(error.message);
    return false;
  }
}
