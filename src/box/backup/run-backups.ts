import { ignore } from '../../lib/ignore.ts';
import { ResticFailed } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { backUpBox } from './box-copy.ts';
import { backUpEach, type Teller } from './make-backup.ts';
import { clearRehearsals, rehearse } from './rehearse.ts';
import { checkedParts, dueRehearsals } from './rules/backup-runs.ts';
import { backupsToForget, draftsOfNights } from './rules/backups-to-keep.ts';
import { backupWarnings } from './rules/latest-backup.ts';
import { toldFailure } from './told-failure.ts';

/**
 * The run of the schedule: a backup of each app, one after the other; then what need not be kept is forgotten, a part of
 * the data is checked, and once a month the backup of one app is rehearsed. A failure of one step or app is noted and
 * told, and the run goes on. Returns the exit status of the command.
 */
export async function runBackups(box: AppsBox, { tell, isStopping }: Teller): Promise<number> {
  const { repository, runs } = box.backup;
  let status = 0;
  const problems: string[] = [];
  const step = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      const problem = `${what}: ${toldFailure(error)}`;
      problems.push(problem);
      tell({ status: 1, text: problem });
      return false;
    }
  };
  await step('a rehearsal could not be removed', () => clearRehearsals(box));
  const isOpen = await step('there are no backups', () => repository.prepare());
  if (isOpen) {
    const names = box.apps.all('installed').map(({ name }) => name);
    status = await backUpEach(box, names, 'schedule', { tell, isStopping });
    if (isStopping()) return 1;
    await step('the box itself has no backup', async () => {
      const made = await backUpBox(box);
      if (made !== null) tell(made);
    });
    await step('old backups could not be removed', () => forgetOld(box, tell));
    await step('the check of the backups failed', () => checkPart(box));
    status = Math.max(status, await rehearseDue(box, tell));
  }
  await runs.change((before) => ({
    ...before,
    endedAt: box.now().toISOString(),
    problem: problems.length === 0 ? null : problems.join('; '),
  }));
  return problems.length === 0 ? status : 1;
}

/** Forgets old backups and the first passes of nights, in a turn of changes: restic lets nobody else write meanwhile. */
async function forgetOld(box: AppsBox, tell: Teller['tell']): Promise<void> {
  const { repository, place } = box.backup;
  const { keep } = place.keep();
  const snapshots = await repository.snapshots();
  for (const text of backupWarnings(snapshots, box.now())) tell({ status: 0, text });
  const drafts = draftsOfNights(snapshots);
  const toForget = keep === 'all' ? [] : backupsToForget(snapshots, keep, box.now());
  const old = toForget.filter((id) => !drafts.includes(id));
  if (old.length + drafts.length === 0) return;
  await box.changes.run(() => {
    const { waiting } = box.backup;
    const needed = waiting.apps().flatMap((app) => waiting.snapshotOf(app) ?? []);
    const done = old.filter((id) => !needed.some((one) => id.startsWith(one)));
    return repository.forget([...drafts, ...done], done.length > 0);
  });
}

/** A check that others have disturbed is repeated in a turn among the changes. The same part is read until it is good. */
export async function checkPart(box: AppsBox): Promise<string> {
  const { repository, runs } = box.backup;
  const number = runs.load().nextPart;
  const part = { number, of: checkedParts };
  const inTurn = () => box.changes.run(() => repository.check(part, 'alone'));
  await repository.check(part, 'beside').catch(ignore(ResticFailed, inTurn));
  await runs.change((before) => ({ ...before, nextPart: (number % checkedParts) + 1 }));
  return `the backups are in order; part ${number} of ${checkedParts} of the data was read`;
}

async function rehearseDue(box: AppsBox, tell: Teller['tell']): Promise<number> {
  const names = box.apps.all('installed').map(({ name }) => name);
  for (const app of dueRehearsals(box.backup.runs.load(), names, box.now())) {
    const { end, text } = await rehearse(box, app);
    tell({ status: end === 'failed' ? 1 : 0, text: `${app}: ${text}` });
    if (end !== 'impossible') return end === 'failed' ? 1 : 0;
  }
  return 0;
}
