import type { CommandResult } from '../../../lib/command-result.ts';
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import type { Outcome } from '../../report.ts';
import { toldFailure } from '../told-failure.ts';

/**
 * Switches the backups of every night on or off. A failure leaves them as they were. Returns whether a repository was made.
 * @param at - a time of day such as `03:30`; `null` keeps the one of before
 */
export async function setSchedule(
  { backup, now }: Pick<AppsBox, 'backup' | 'now'>,
  isOn: boolean,
  at: string | null,
): Promise<boolean> {
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

/** A backup, restore or check that this process carries out, or has carried out last. */
export type BackupWork = { doing: string; since: Date; result: Outcome | null };

export type BackupWorker = ReturnType<typeof makeBackupWork>;

/**
 * Carries out one long work at a time, and knows the last one until the process ends.
 * @param isStopping - asked between apps
 */
export function makeBackupWork(box: AppsBox, isStopping = () => false) {
  let latest: BackupWork | null = null;
  const begin = (doing: string, work: (tell: (text: string) => void) => Promise<number>): Outcome => {
    if (latest?.result === null) refuse('backupWorkUnderway', { doing: latest.doing });
    const own: BackupWork = { doing, since: box.now(), result: null };
    latest = own;
    const lines: string[] = [];
    void work((text) => lines.push(text))
      .catch((error: unknown) => {
        lines.push(toldFailure(error));
        return 1;
      })
      .then((status) => {
        own.result = { ok: status === 0, text: lines.join('\n') };
      })
      .catch((error: Error) => {
        box.warn(`${doing}: ${error.stack}`);
        own.result = { ok: false, text: 'an unexpected error; the log of boxgate-console has it' };
      });
    return { ok: true, text: `${doing} has begun`, has_begun: true };
  };
  const beginCommand = (doing: string, command: () => Promise<CommandResult>) =>
    begin(doing, async (tell) => {
      const { status, text } = await command();
      tell(text);
      return status;
    });
  return {
    latest: () => latest,
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
    rehearse: (app: string) =>
      beginCommand(`the rehearsal of ${app}`, async () => (await import('../rehearse.ts')).rehearseCommand(box, app)),
    check: () =>
      beginCommand('the check of the backups', async () => {
        const { checkPart } = await import('../run-backups.ts');
        return { status: 0, text: await checkPart(box) };
      }),
  };
}
