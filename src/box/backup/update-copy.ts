import { type MadeSnapshot, ResticFailed } from '../../restic/ports.ts';
import { refuse } from '../api/refusals.ts';
import { warnOfAnswer } from '../change/carry-out.ts';
import type { FormerImage } from '../change/rules/journal.ts';
import { holdBack, putBack } from '../change/take-back.ts';
import type { KnownApp } from '../known-apps.ts';
import { type BoxPorts, ContainersFailed, StorageFailed } from '../ports.ts';
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
import { isTold } from './make-backup.ts';
import { withAway } from './rules/backup-runs.ts';
import { putBackText } from './rules/backup-texts.ts';
import { howExchanged } from './rules/places.ts';

/** A copy of an app's data, made before an update. The app is stopped; the update starts it. */
export type UpdateCopy = {
  /** Notes that new containers are being started, so that data may change from now on. */
  starting(): void;
  /** Notes that the new containers were started. */
  started(): void;
  /** Starts the old containers if no new one was started, so that nothing has to be put back. Returns whether it did. */
  resume(): Promise<boolean>;
  /** The new version stays up, so its data stays. Returns how long the app was away. */
  keep(): Promise<{ awayMs?: number }>;
  /** Puts the data of before back, and removes the new containers. Without success the app has to stay stopped. */
  putBack(): Promise<DataBack>;
};

/** `text` says what became of the data. */
export type DataBack = { isHeld: boolean; text: string };

/** For an update without a copy: only knows whether the newer version may have changed the data. */
export function noCopy(): UpdateCopy {
  let isStarting = false;
  return {
    starting() {
      isStarting = true;
    },
    started: () => undefined,
    resume: async () => !isStarting,
    keep: async () => ({}),
    putBack: async () => ({ isHeld: false, text: isStarting ? '; its data stays as the newer version left it' : '' }),
  };
}

/**
 * Copies the data of an app before an update, if restic is installed and the setting is on. The app
 * is stopped last, when a copy of everything else is complete and there is room to put it back. A failure refuses the
 * update; the app runs on, or again.
 * @param images - the images to return to; `null` if the update starts nothing
 */
export async function copyBeforeUpdate(
  box: BoxPorts,
  app: KnownApp,
  images: FormerImage[] | null,
): Promise<UpdateCopy> {
  const { repository, beforeUpdate } = box.backup;
  try {
    if (!beforeUpdate || !(await repository.isAvailable())) return noCopy();
    box.operations.report({ step: 'backing_up' });
    // A container tool that knows no volumes has nothing to copy.
    const planned = await planCopy(box, app).catch((error: unknown) => {
      warnOfAnswer(box, error, `${app.name} is updated without a backup: `);
    });
    if (planned === undefined) return noCopy();
    return await copy(box, app, planned, images);
  } catch (error) {
    if (!isTold(error)) throw error;
    refuse('backupFailed', { app: app.name, reason: error.message });
  }
}

async function copy(box: BoxPorts, app: KnownApp, planned: AppCopy, images: FormerImage[] | null): Promise<UpdateCopy> {
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
    if (snapshot.unread.length === 0) return noCopy();
    throw new ResticFailed(`these files cannot be read: ${snapshot.unread.join(', ')}`, 'failed');
  }
  try {
    await files.writeJournal({ app: app.name, operation: 'update', way: 'back', snapshot: snapshot.id, images });
  } catch (error) {
    await startAgain(box, planned);
    throw error;
  }
  return begunUpdate(box, { planned, images, snapshot, draft, stoppedAt });
}

type Begun = StoppedCopy & { planned: AppCopy; images: FormerImage[]; draft: MadeSnapshot | null };

function begunUpdate(box: BoxPorts, { planned, images, snapshot, draft, stoppedAt }: Begun): UpdateCopy {
  const { facts } = planned;
  const { app } = facts;
  const { files, runs } = box.backup;
  let isStarting = false;
  let awayMs: number | null = null;
  const finish = async () => {
    const finished = await finishSnapshot(box, snapshot, draft);
    await runs
      .change((before) => withAway(before, finished.id, awayMs))
      .catch((error: Error) => box.warn(error.message));
    return finished;
  };
  return {
    starting() {
      isStarting = true;
    },
    started() {
      if (stoppedAt !== null) awayMs = box.now().getTime() - stoppedAt;
    },
    async resume() {
      if (isStarting) return false;
      const fault = await startAgain(box, planned);
      await files.writeJournal(null);
      await finish();
      if (fault !== null) throw new ContainersFailed(`${app} was stopped for the copy${fault}`, false);
      return true;
    },
    async keep() {
      await finish();
      return awayMs === null ? {} : { awayMs };
    },
    async putBack() {
      try {
        const stays = await putBack(box, { app, snapshot: snapshot.id, images }, facts);
        await finish();
        return { isHeld: false, text: putBackText(stays) };
      } catch (error) {
        if (error instanceof StorageFailed && files.journal()?.way === 'forth') throw error;
        if (!isTold(error)) throw error;
        const { id } = await finish();
        return { isHeld: true, text: await holdBack(box, { app, snapshot: id, images }, error.message) };
      }
    },
  };
}

/**
 * Copies the data of an app that is being removed, and leaves it stopped. A failure is only told: the app's directory
 * goes to the trash, and its volumes stay. Returns what the copy lacks, `null` if it lacks nothing or none is to be made.
 */
export async function copyBeforeRemoval(box: BoxPorts, app: KnownApp): Promise<string | null> {
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
    if (!isTold(error)) throw error;
    return `removed without a backup: ${error.message}`;
  }
}
