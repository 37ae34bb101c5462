import { refuse } from '../../box/api/refusals.ts';
import { type BackupWorker, setSchedule, showBackups } from '../../box/backup/backups-room.ts';
import { toldFailure } from '../../box/backup/make-backup.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

type Operations =
  | 'showBackups'
  | 'showBackupWork'
  | 'makeBackup'
  | 'restoreBackup'
  | 'rehearseBackup'
  | 'checkBackups'
  | 'setBackupSchedule'
  | 'showBackupKey';

/** A backup, restore, rehearsal or check is answered when it has begun: it may take longer than a browser waits. */
export function backupsHandlers(box: BoxPorts, work: BackupWorker): Pick<ConsoleHandlers, Operations> {
  return {
    showBackups: async () => {
      const shown = await showBackups(box);
      const body = {
        repository: shown.repository,
        problem: shown.problem,
        is_scheduled: shown.isScheduled,
        ended_at: shown.endedAt,
        run_problem: shown.runProblem,
        next_at: shown.nextAt?.toISOString() ?? null,
        warnings: shown.warnings,
        apps: shown.apps.map(({ app, madeAt, problem }) => ({
          app,
          made_at: madeAt?.toISOString() ?? null,
          problem,
        })),
        backups: shown.backups.map(({ id, app, version, reason, time, awayMs, isIncomplete }) => ({
          id,
          app,
          version,
          reason,
          made_at: time.toISOString(),
          away_seconds: awayMs === null ? null : awayMs / 1000,
          is_incomplete: isIncomplete,
        })),
      };
      return { status: 200 as const, body };
    },
    showBackupWork: async () => {
      const latest = work.latest();
      const shown = latest && { ...latest, since: latest.since.toISOString() };
      return { status: 200 as const, body: { work: shown } };
    },
    makeBackup: async ({ app }) => ({ status: 200 as const, body: work.make(app) }),
    restoreBackup: async (restore) => ({ status: 200 as const, body: work.restore(restore) }),
    rehearseBackup: async ({ app }) => ({ status: 200 as const, body: work.rehearse(app) }),
    checkBackups: async () => ({ status: 200 as const, body: work.check() }),
    setBackupSchedule: async ({ is_on: isOn }) => {
      await orRefuse(setSchedule(box, isOn, null));
      const text = isOn ? 'A backup of every app is made each night.' : 'No backups are made at night any more.';
      return { status: 200 as const, body: { ok: true, text } };
    },
    showBackupKey: async () => ({ status: 200 as const, body: { key: await orRefuse(box.backup.repository.key()) } }),
  };
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    refuse('backupsFailed', { reason: toldFailure(error) });
  }
}
