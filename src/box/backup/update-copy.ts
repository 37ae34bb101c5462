import { type MadeSnapshot, ResticFailed } from '../../restic/ports.ts';
import { refuse } from '../api/refusals.ts';
import type { AppsBox } from '../apps/ports.ts';
import { warnOfAnswer } from '../change/carry-out.ts';
import type { FormerImage } from '../change/rules/journal.ts';
import { holdBack, putBack } from '../change/take-back.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import {
  type AppCopy,
  copyStopped,
  finishSnapshot,
  planCopy,
  type StoppedCopy,
  startAgain,
  takeSnapshot,
} from './app-copy.ts';
import { foldersOf, refuseWithoutRoom } from './fill-folders.ts';
import { withAway } from './rules/backup-runs.ts';
import { putBackText } from './rules/backup-texts.ts';
import { howExchanged } from './rules/places.ts';
import { toldFailure } from './told-failure.ts';

/** A copy of an app's data, made before an update. The app is stopped; the update starts it. */
export type UpdateCopy = StoppedCopy & { planned: AppCopy; images: FormerImage[]; draft: MadeSnapshot | null };

/**
 * Copies the data of an app before an update, if restic is installed and the setting is on; else returns `null`. The app
 * is stopped last, when a first copy is complete and there is room to put it back. A failure refuses the update; the app
 * runs on, or again.
 * @param images - the images to return to; `null` if the update starts nothing, and so returns to no copy
 */
export async function copyBeforeUpdate(
  box: AppsBox,
  app: KnownApp,
  images: FormerImage[] | null,
): Promise<UpdateCopy | null> {
  const { repository, beforeUpdate } = box.backup;
  try {
    if (!beforeUpdate || !(await repository.isAvailable())) return null;
    box.operations.report({ step: 'backing_up' });
    // A container tool that knows no volumes has nothing to copy.
    const planned = await planCopy(box, app).catch((error: unknown) => {
      warnOfAnswer(box, error, `${app.name} is updated without a backup: `);
    });
    if (planned === undefined) return null;
    return await copy(box, app, planned, images);
  } catch (error) {
    refuse('backupFailed', { app: app.name, reason: toldFailure(error) });
  }
}

async function copy(box: AppsBox, app: KnownApp, planned: AppCopy, images: FormerImage[] | null) {
  const { repository, files } = box.backup;
  await repository.prepare();
  const isRunning = planned.ran.length > 0;
  const draft = isRunning ? await takeSnapshot(box, planned, { reason: 'update', isDraft: true }) : null;
  const paths = box.disks.look();
  const isDirectory = (path: string) => path === planned.facts.directory;
  const movable = foldersOf(box, planned.facts).filter(
    (path) => howExchanged(path, !isDirectory(path), paths).problem === null,
  );
  await refuseWithoutRoom(box, movable, ' to put its data back if the update fails');
  const { snapshot, stoppedAt } = await copyStopped(box, planned, { reason: 'update' });
  if (snapshot.unread.length > 0 || images === null) {
    await startAgain(box, planned);
    await finishSnapshot(box, snapshot, draft);
    if (snapshot.unread.length === 0) return null;
    throw new ResticFailed(`these files cannot be read: ${snapshot.unread.join(', ')}`, 'failed');
  }
  try {
    await files.writeJournal({ app: app.name, operation: 'update', way: 'back', snapshot: snapshot.id, images });
  } catch (error) {
    await startAgain(box, planned);
    throw error;
  }
  return { planned, images, snapshot, draft, stoppedAt };
}

/** Starts the containers again that the copy has stopped: no new one was started, so nothing has to be put back. */
export async function startUnchanged(box: AppsBox, copy: UpdateCopy): Promise<void> {
  const fault = await startAgain(box, copy.planned);
  await box.backup.files.writeJournal(null);
  await finishCopy(box, copy, null);
  const { app } = copy.planned.facts;
  if (fault !== null) throw new ContainersFailed(`${app} was stopped for the copy${fault}`, false);
}

/** Notes how long the app was away. `upAt`: when the new containers were started; `null` if they were not. */
export async function finishCopy(box: AppsBox, { snapshot, draft, stoppedAt }: UpdateCopy, upAt: number | null) {
  const { id } = await finishSnapshot(box, snapshot, draft);
  const awayMs = stoppedAt === null || upAt === null ? null : upAt - stoppedAt;
  const { runs } = box.backup;
  await runs.change((before) => withAway(before, id, awayMs)).catch((error: Error) => box.warn(error.message));
  return { id, awayMs };
}

/** Puts the data of before back, and removes the new containers. If it is held, the app has to stay stopped. */
export async function putCopyBack(box: AppsBox, copy: UpdateCopy, upAt: number | null) {
  const { planned, snapshot, images } = copy;
  const { app } = planned.facts;
  try {
    const stays = await putBack(box, { app, snapshot: snapshot.id, images }, planned.facts);
    await finishCopy(box, copy, upAt);
    return { isHeld: false, text: putBackText(stays) };
  } catch (error) {
    if (error instanceof StorageFailed && box.backup.files.journal()?.way === 'forth') throw error;
    const why = toldFailure(error);
    const { id } = await finishCopy(box, copy, upAt);
    return { isHeld: true, text: await holdBack(box, { app, snapshot: id, images }, why) };
  }
}

/**
 * Copies the data of an app that is being removed, and leaves it stopped. A failure is only told: the app's directory
 * goes to the trash, and its volumes stay. Returns what the copy lacks, `null` if it lacks nothing or none is to be made.
 */
export async function copyBeforeRemoval(box: AppsBox, app: KnownApp): Promise<string | null> {
  const { repository, files, beforeUpdate } = box.backup;
  try {
    if (!beforeUpdate || !(await repository.isAvailable())) return null;
    const planned = await planCopy(box, app);
    await repository.prepare();
    const { snapshot } = await copyStopped(box, planned, { reason: 'remove' });
    // From here on a crash leaves an app that the next start brings up.
    await files.writeJournal(null);
    await finishSnapshot(box, snapshot);
    return snapshot.unread.length === 0 ? null : `its last backup lacks ${snapshot.unread.join(', ')}`;
  } catch (error) {
    return `removed without a backup: ${toldFailure(error)}`;
  }
}
