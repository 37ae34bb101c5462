import type { AppsBox } from '../../apps/ports.ts';
import { makeLongWork } from '../../long-work.ts';
import type { Return } from '../bring-back.ts';
import { toldFailure } from '../told-failure.ts';

/**
 * Switches the backups of every night on or off. A failure leaves them as they were. Returns whether a repository was made.
 * @param at - a time of day such as `03:30`; `null` keeps the one of before
 */
export async function setSchedule({ backup, now }: AppsBox, isOn: boolean, at: string | null): Promise<boolean> {
  const { enabledAt } = backup.runs.load();
  let isMade = false;
  if (isOn) {
    await backup.timer.enable(at);
    try {
      isMade = await backup.repository.prepare();
    } catch (error) {
      if (enabledAt === null) await backup.timer.disable();
      throw error;
    }
  } else await backup.timer.disable();
  const since = isOn ? (enabledAt ?? now().toISOString()) : null;
  await backup.runs.change((runs) => ({ ...runs, enabledAt: since }));
  return isMade;
}

export const returning = 'the return of your apps';

export type BackupWorker = ReturnType<typeof makeBackupWork>;

/** A backup, restore or check. @param isStopping - asked between apps */
export function makeBackupWork(box: AppsBox, isStopping = () => false) {
  const returns = new Map<string, Return>();
  const { latest, begin, beginCommand, shown } = makeLongWork(box, toldFailure);
  return {
    latest,
    shown,
    /** `app`: empty for all apps. */
    make: (app: string) =>
      begin(app === '' ? 'a backup of all apps' : `a backup of ${app}`, async (tell) => {
        const { makeBackups } = await import('../make-backup.ts');
        return makeBackups(box, { name: app, tell: ({ text }) => tell(text), isStopping });
      }),
    /** `as`: a second app of this name, beside the first; empty to put the app itself back. */
    restore: ({ app, id, as }: { app: string; id: string; as: string }) =>
      beginCommand(as === '' ? `the restore of ${app}` : `the restore of ${app} as ${as}`, async () =>
        as === ''
          ? (await import('../restore-app.ts')).restoreFromBackup(box, app, id)
          : (await import('../restore-beside.ts')).restoreBeside(box, app, id, as),
      ),
    /** Apps and the box itself, by name. */
    bringBack: (chosen: ReadonlySet<string>) =>
      begin(returning, async (tell, goOn) => {
        const { bringBack } = await import('../bring-back.ts');
        for (const name of ['', ...chosen]) returns.delete(name);
        const status = await bringBack(box, {
          ...{ chosen, isStopping },
          begins: (app, number, of) => goOn(`${app}, ${number} of ${of}`),
          tell: (one) => returns.set(one.app, one),
        });
        tell(status === 0 ? 'All that was chosen is back.' : 'Not all is back: see below.');
        return status;
      }),
    /** What came back since this process began, and what failed; the latest of each app. */
    returns: () => [...returns.values()],
    rehearse: (app: string) =>
      beginCommand(`the trial of the latest backup of ${app}`, async () =>
        (await import('../rehearse.ts')).rehearseCommand(box, app),
      ),
    check: () =>
      beginCommand('the check of the backups', async () => {
        const { checkPart } = await import('../run-backups.ts');
        return { status: 0, text: await checkPart(box) };
      }),
  };
}
