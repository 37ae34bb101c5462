import type { CommandResult } from '../../lib/command-result.ts';
import { refuseNotInstalled } from '../app-files/catalogue.ts';
import type { AppsBox } from '../apps/ports.ts';
import { copyStopped, finishSnapshot, planCopy, startAgain, takeSnapshot } from './app-copy.ts';
import { backUpBox } from './box-copy.ts';
import { withAway, withBackup } from './rules/backup-runs.ts';
import { type MadeBackup, madeText } from './rules/backup-texts.ts';
import type { Reason } from './rules/snapshot-tags.ts';
import { toldFailure } from './told-failure.ts';

/**
 * Makes a backup of an app in a repository that is prepared. The first pass copies the app while it runs, outside the
 * turn of a change. Then the app is stopped, the second pass copies what has changed since, and the app is started.
 * The first pass is forgotten, but that of a night: then all are forgotten at once, at the end.
 */
export async function makeBackup(box: AppsBox, name: string, reason: Reason): Promise<MadeBackup> {
  const before = await planCopy(box, refuseNotInstalled(box, name));
  const draft = before.ran.length > 0 ? await takeSnapshot(box, before, { reason, isDraft: true }) : null;
  return box.changes.run(async () => {
    const copy = await planCopy(box, refuseNotInstalled(box, name));
    const { snapshot, stoppedAt } = await copyStopped(box, copy, { reason });
    const fault = await startAgain(box, copy).catch((error) => `, but it waits for its start: ${toldFailure(error)}`);
    const awayMs = stoppedAt === null ? null : box.now().getTime() - stoppedAt;
    const finished = await finishSnapshot(box, snapshot, reason === 'schedule' ? undefined : draft);
    const bytesAdded = finished.bytesAdded + (draft?.bytesAdded ?? 0);
    return { snapshot: { ...finished, bytesAdded }, awayMs, facts: copy.facts, fault };
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
  let status = await backUpEach(box, names, 'manual', teller);
  if (name === '' && !isStopping()) {
    const made = await backUpBox(box);
    if (made !== null) tell(made);
    status = Math.max(status, made?.status ?? 0);
  }
  return isStopping() ? 1 : status;
}

/** Makes a backup of each app. Returns the worst status. */
export async function backUpEach(box: AppsBox, names: readonly string[], reason: Reason, teller: Teller) {
  let status = 0;
  for (const name of names) {
    const result = await tryBackup(box, name, reason);
    teller.tell(result);
    status = Math.max(status, result.status);
    if (teller.isStopping()) break;
  }
  return status;
}

/** Makes a backup of one app, and notes whether it is good. */
export async function tryBackup(box: AppsBox, app: string, reason: Reason): Promise<CommandResult> {
  const { runs } = box.backup;
  try {
    const made = await makeBackup(box, app, reason);
    const { unread } = made.snapshot;
    const lacks = `the latest backup is incomplete: ${unread.join(', ')} could not be read`;
    const failure = unread.length === 0 ? null : lacks;
    await runs.change((before) => withAway(withBackup(before, app, failure, box.now()), made.snapshot.id, made.awayMs));
    const text = madeText(made);
    return { status: failure === null && made.fault === null ? 0 : 1, text };
  } catch (error) {
    const failure = `no backup: ${toldFailure(error)}`;
    await runs.change((before) => withBackup(before, app, failure, box.now()));
    return { status: 1, text: `${app}: ${failure}` };
  }
}
