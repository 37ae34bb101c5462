import { type MadeSnapshot, ResticFailed } from '../../restic/ports.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import { refuseNotInstalled } from '../apps/catalogue.ts';
import { type BoxPorts, ContainersFailed, StorageFailed } from '../ports.ts';
import { Refusal } from '../refusals.ts';
import type { LeftOut, SavedVolume } from '../rules/backup/app-facts.ts';
import { withAway, withBackup } from '../rules/backup/backup-runs.ts';
import { madeText } from '../rules/backup/backup-texts.ts';
import type { Reason } from '../rules/backup/snapshot-tags.ts';
import { copyStopped, finishSnapshot, planCopy, startAgain, takeSnapshot } from './app-copy.ts';
import { backUpBox } from './box-copy.ts';

export type MadeBackup = {
  snapshot: MadeSnapshot;
  /** The first pass, to be forgotten; `null` without one. */
  draft: MadeSnapshot | null;
  /** How long the app was away; `null` if it did not run. */
  awayMs: number | null;
  leftOut: LeftOut[];
  volumes: SavedVolume[];
  /** The end of a sentence if the app does not run since; the backup is good all the same. */
  fault: string | null;
};

/**
 * Makes a backup of an app in a repository that is prepared. The first pass copies the app while it runs, and needs no turn among the changes. Then the
 * app is stopped, the second pass copies what has changed since, and the app is started.
 */
export async function makeBackup(box: BoxPorts, name: string, reason: Reason): Promise<MadeBackup> {
  const app = refuseNotInstalled(box, name);
  const running = await planCopy(box, app);
  const draft = running.ran.length > 0 ? await takeSnapshot(box, running, { reason, isDraft: true }) : null;
  return box.changes.run(async () => {
    const copy = await planCopy(box, refuseNotInstalled(box, name));
    const { snapshot, stoppedAt } = await copyStopped(box, copy, { reason });
    const fault = await startAgain(box, copy).catch((error) => `, but it waits for its start: ${toldFailure(error)}`);
    const awayMs = stoppedAt === null ? null : box.now().getTime() - stoppedAt;
    const finished = await finishSnapshot(box, snapshot);
    const { leftOut, volumes } = copy.facts;
    const bytesAdded = finished.bytesAdded + (draft?.bytesAdded ?? 0);
    return { snapshot: { ...finished, bytesAdded }, draft, awayMs, leftOut, volumes, fault };
  });
}

/**
 * Makes a backup of one app, or of all apps (`''`) one after the other. Returns the exit status of the command.
 * `isStopping`: asked between apps.
 */
export async function makeBackups(
  box: BoxPorts,
  { name, tell, isStopping }: { name: string; tell: (result: CommandResult) => unknown; isStopping: () => boolean },
): Promise<number> {
  const names = name === '' ? box.apps.all('installed').map((app) => app.name) : [name];
  const repository = box.backup.repository;
  if (await repository.prepare()) {
    tell({ status: 0, text: `made a repository at ${repository.shownAddress}; keep its key: boxgate box backup key` });
  }
  let status = 0;
  const drafts: string[] = [];
  for (const app of names) {
    const { draft, ...result } = await tryBackup(box, app, 'manual');
    if (draft !== null) drafts.push(draft.id);
    tell(result);
    status = Math.max(status, result.status);
    if (isStopping()) break;
  }
  if (name === '' && !isStopping()) {
    const made = await backUpBox(box);
    if (made !== null) tell(made);
    status = Math.max(status, made?.status ?? 0);
  }
  await repository.forget(drafts).catch((error: unknown) => box.warn(toldFailure(error)));
  return isStopping() ? 1 : status;
}

const told = [ResticFailed, ContainersFailed, StorageFailed, Refusal];

/** The message of a failure that is no fault of the program; throws any other error again. */
export function toldFailure(error: unknown): string {
  if (!told.some((kind) => error instanceof kind)) throw error;
  return (error as Error).message;
}

/** Makes a backup of one app, and notes whether it is good. The caller forgets the first pass. */
export async function tryBackup(
  box: BoxPorts,
  app: string,
  reason: Reason,
): Promise<CommandResult & Pick<MadeBackup, 'draft'>> {
  const { runs } = box.backup;
  try {
    const made = await makeBackup(box, app, reason);
    const failure = unreadFailure(made);
    await runs.change((before) => withAway(withBackup(before, app, failure, box.now()), made.snapshot.id, made.awayMs));
    return { status: failure === null && made.fault === null ? 0 : 1, text: madeText(app, made), draft: made.draft };
  } catch (error) {
    const failure = `no backup: ${toldFailure(error)}`;
    await runs.change((before) => withBackup(before, app, failure, box.now()));
    return { status: 1, text: `${app}: ${failure}`, draft: null };
  }
}

function unreadFailure({ snapshot: { unread } }: MadeBackup): string | null {
  return unread.length === 0 ? null : `the latest backup is incomplete: ${unread.join(', ')} could not be read`;
}
