import { ResticFailed, type ResticFault } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { waitsText } from '../backup/rules/backup-texts.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { diskProblemOf } from '../engine/disks.ts';
import { reconcile } from '../engine/reconcile.ts';
import { startNoted } from '../engine/stop-and-start.ts';
import { cutOffLine } from '../rules/text/past-changes.ts';
import { carryOut, refuseAway } from './carry-out.ts';
import { type ChangeJournal, needsEngine } from './rules/journal.ts';
import { holdBack, putBack } from './take-back.ts';

/** Faults that pass. Without the backup, the old version would start with data that the new one has changed. */
const passing: ReadonlySet<ResticFault> = new Set(['away', 'locked', 'no-repository', 'no-room', 'read-only']);

/**
 * Finishes or undoes backups, restores and updates that were cut off. Runs in the turn of a change, before it. What
 * cannot be finished now, because Docker, a disk or the repository does not answer, is set aside and tried again every
 * minute: until then nothing changes or starts its app, and other apps are changed as usual.
 * @param app - the app that is about to be changed; `null` if it is not known
 * @returns why its work waits; `null` if nothing of it does
 */
export async function finishWaiting(box: AppsBox, app: string | null): Promise<StorageFailed | null> {
  const { files, waiting: left } = box.backup;
  let hindered: StorageFailed | null = null;
  const underWay = files.journal()?.app;
  // Trying all is for the box itself: another place that is away would hold up each change.
  const waiting = left.apps().filter((one) => app === null || one === app);
  for (const one of [...(underWay === undefined ? [] : [underWay]), ...waiting.filter((name) => name !== underWay)]) {
    try {
      if (one !== underWay) await left.takeUp(one);
      await finishBackup(box);
    } catch (error) {
      if (!(error instanceof StorageFailed)) throw error;
      // Files that could not be exchanged have been put back: then nothing of it waits.
      if (files.journal() !== null) await left.setAside(one);
      if (one === app && left.apps().includes(one)) hindered = error;
      else box.warn(error.message);
    }
  }
  return hindered;
}

/** Refuses work on an app whose data is half restored, or still to be put back. */
export function refuseWaiting({ backup: { waiting } }: Pick<AppsBox, 'backup'>, app: string): void {
  if (waiting.apps().includes(app)) throw new ContainersFailed(waitsText(app), false);
}

/**
 * Finishes or undoes the work that the journal names. Afterwards the app runs with the old data or the new, or stays
 * stopped if its data cannot be put back. Throws StorageFailed while Docker or the repository does not answer or the
 * disk refuses.
 * @param isCutOff - false after a failure in this process, which is reported by its caller
 */
export async function finishBackup(box: AppsBox, isCutOff = true): Promise<void> {
  const journal = box.backup.files.journal();
  if (journal === null) return;
  const { app, way, operation, snapshot } = journal;
  if (!needsEngine(journal)) {
    await box.installFiles.finish();
    if (isCutOff && operation === 'update') tell(box, cutOffLine(journal, way === 'forth'));
    return;
  }
  try {
    await finish(box, journal);
    if (isCutOff) tell(box, cutOffLine(journal, way === 'forth'));
  } catch (error) {
    // From `forth` on, folders may be exchanged in part, whatever Docker refuses.
    const mayPass = error instanceof ContainersFailed && (error.unreachable || isForth(box));
    if (error instanceof StorageFailed || mayPass) {
      const what = isCutOff ? `a backup or restore of ${app} has to be finished first` : `the restore of ${app} waits`;
      throw new StorageFailed(`${what}: ${error.message}; the box tries it again every minute`);
    }
    if (error instanceof ResticFailed && passing.has(error.fault)) {
      const text = `an update of ${app} was cut off, and its data has to be put back first: ${error.message}`;
      throw new StorageFailed(`${text}; to keep the data as it is, delete ${box.backup.waiting.file(app)}`);
    }
    if (!(error instanceof ContainersFailed || error instanceof ResticFailed)) throw error;
    const isHeld = way === 'back' && snapshot !== undefined;
    const detail = isHeld
      ? await holdBack(box, { ...journal, snapshot }, error.message)
      : `was cut off and is not in order: ${error.message}`;
    tell(box, { ...cutOffLine(journal, false), detail });
    if (!isHeld) await box.backup.files.writeJournal(null);
  }
}

const isForth = ({ backup }: AppsBox) => backup.files.journal()?.way === 'forth';

/** Writes into the log and into the app's changes what became of work that was cut off. */
function tell(box: AppsBox, line: ReturnType<typeof cutOffLine>): void {
  box.warn(`${line.subject}: ${line.operation} ${line.detail}`);
  box.history.add(line);
}

async function finish(box: AppsBox, journal: ChangeJournal): Promise<void> {
  const { app, way, folders = [], starts = [], snapshot, images = [] } = journal;
  const { files } = box.backup;
  if (way === 'forth') await carryOut(box, journal);
  else {
    refuseAway(box, folders);
    await box.installFiles.finish();
    await files.discard(folders);
    // Otherwise the data would be put below the mount point, and be hidden once the disk is back.
    const missing = snapshot && diskProblemOf(box, app);
    if (missing) throw new StorageFailed(missing);
    if (snapshot !== undefined) await putBack(box, { app, snapshot, images });
    else if (starts.length === 0) return files.writeJournal(null);
    else if ((await startNoted(box, app, starts)) === null) return;
  }
  await reconcile(box, app);
}
