import type { CommandResult } from '../../lib/command-result.ts';
import type { MadeSnapshot } from '../../restic/ports.ts';
import { refuseNotInstalled } from '../app-files/catalogue.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Container } from '../engine/rules/container.ts';
import { type AppCopy, copyStopped, finishSnapshot, planCopy, startAgain, takeSnapshot } from './app-copy.ts';
import { backUpBox } from './box-copy.ts';
import { withAway, withBackup } from './rules/backup-runs.ts';
import { madeText } from './rules/backup-texts.ts';
import type { Reason } from './rules/snapshot-tags.ts';
import { toldFailure } from './told-failure.ts';

export type MadeBackup = {
  snapshot: MadeSnapshot;
  /** The first pass, to be forgotten; `null` without one. */
  draft: MadeSnapshot | null;
  /** How long the app was away; `null` if it did not run. */
  awayMs: number | null;
  copy: AppCopy;
  /** The end of a sentence if the app does not run since; the backup is good all the same. */
  fault: string | null;
};

/**
 * Makes a backup of an app in a repository that is prepared. The first pass copies the app while it runs, outside the
 * turn of a change. Then the app is stopped, the second pass copies what has changed since, and the app is started.
 * @param all - containers that were seen a moment ago
 */
export async function makeBackup(box: AppsBox, name: string, reason: Reason, all?: Container[]): Promise<MadeBackup> {
  const before = await planCopy(box, refuseNotInstalled(box, name), { all });
  const draft = before.ran.length > 0 ? await takeSnapshot(box, before, { reason, isDraft: true }) : null;
  return box.changes.run(async () => {
    const copy = await planCopy(box, refuseNotInstalled(box, name), { before });
    const { snapshot, stoppedAt } = await copyStopped(box, copy, { reason });
    const fault = await startAgain(box, copy).catch((error) => `, but it waits for its start: ${toldFailure(error)}`);
    const awayMs = stoppedAt === null ? null : box.now().getTime() - stoppedAt;
    const finished = await finishSnapshot(box, snapshot);
    const bytesAdded = finished.bytesAdded + (draft?.bytesAdded ?? 0);
    return { snapshot: { ...finished, bytesAdded }, draft, awayMs, copy, fault };
  });
}

export type Teller = { tell: (result: CommandResult) => unknown; isStopping: () => boolean };

/** Makes a backup of one app, or of all apps (`''`) one after the other. Returns the exit status of the command. */
export async function makeBackups(box: AppsBox, { name, ...teller }: Teller & { name: string }): Promise<number> {
  const { repository } = box.backup;
  const { tell, isStopping } = teller;
  if (await repository.prepare()) {
    tell({ status: 0, text: `made a repository at ${repository.shownAddress}; keep its key: boxgate box backup key` });
  }
  const names = name === '' ? box.apps.all('installed').map((app) => app.name) : [name];
  const { drafts, ...done } = await backUpEach(box, names, 'manual', teller);
  let { status } = done;
  if (name === '' && !isStopping()) {
    const made = await backUpBox(box);
    if (made !== null) tell(made);
    status = Math.max(status, made?.status ?? 0);
  }
  await repository.forget(drafts).catch((error: unknown) => box.warn(toldFailure(error)));
  return isStopping() ? 1 : status;
}

/** Makes a backup of each app. Returns the worst status, and the ids of the first passes, which the caller forgets. */
export async function backUpEach(
  box: AppsBox,
  names: readonly string[],
  reason: Reason,
  { tell, isStopping }: Teller,
): Promise<{ status: number; drafts: string[] }> {
  let status = 0;
  const drafts: string[] = [];
  // The look of one app's second pass serves the first pass of the next.
  let all: Container[] | undefined;
  for (const name of names) {
    const { made, ...result } = await tryBackup(box, name, reason, all);
    all = made?.copy.seen?.all;
    if (made?.draft) drafts.push(made.draft.id);
    tell(result);
    status = Math.max(status, result.status);
    if (isStopping()) break;
  }
  return { status, drafts };
}

/** Makes a backup of one app, and notes whether it is good. `made`: `null` without a copy. */
export async function tryBackup(
  box: AppsBox,
  app: string,
  reason: Reason,
  all?: Container[],
): Promise<CommandResult & { made: MadeBackup | null }> {
  const { runs } = box.backup;
  try {
    const made = await makeBackup(box, app, reason, all);
    const { unread } = made.snapshot;
    const lacks = `the latest backup is incomplete: ${unread.join(', ')} could not be read`;
    const failure = unread.length === 0 ? null : lacks;
    await runs.change((before) => withAway(withBackup(before, app, failure, box.now()), made.snapshot.id, made.awayMs));
    const text = madeText({ ...made, facts: made.copy.facts });
    return { status: failure === null && made.fault === null ? 0 : 1, text, made };
  } catch (error) {
    const failure = `no backup: ${toldFailure(error)}`;
    await runs.change((before) => withBackup(before, app, failure, box.now()));
    return { status: 1, text: `${app}: ${failure}`, made: null };
  }
}
