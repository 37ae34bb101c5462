import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import { refuse } from '../api/refusals.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import type { ChangeResult } from '../apps/removed-apps.ts';
import type { BoxPorts } from '../ports.ts';
import { awayFor } from '../rules/backup/backup-runs.ts';
import { backupWarnings, latestBackups } from '../rules/backup/latest-backup.ts';
import { readTags, type SnapshotTags } from '../rules/backup/snapshot-tags.ts';
import { problemsOfBackups } from './backup-problems.ts';
import { makeBackups, toldFailure } from './make-backup.ts';
import { rehearseCommand } from './rehearse.ts';
import { restoreFromBackup } from './restore-app.ts';
import { restoreBeside } from './restore-beside.ts';
import { checkPart } from './run-backups.ts';

export type ListedBackup = SnapshotTags & { id: string; time: Date; awayMs: number | null };

export type BackupsShown = {
  /** The address without a password. */
  repository: string;
  /** Why the backups cannot be listed; `null` if they can. */
  problem: string | null;
  isScheduled: boolean;
  /** When the last run of all apps ended, and what failed in it. */
  endedAt: string | null;
  runProblem: string | null;
  nextAt: Date | null;
  warnings: string[];
  /** When the latest backup of each installed app was made, and why there is no fresh one that can be trusted. */
  apps: { app: string; madeAt: Date | null; problem: string | null }[];
  /** The latest first. */
  backups: ListedBackup[];
};

/** What an owner sees of the backups. A repository without an answer, or without restic, is a text. */
export async function showBackups(box: Shown): Promise<BackupsShown> {
  const { backup, now } = box;
  const runs = backup.runs.load();
  const { enabledAt, endedAt, problem: runProblem } = runs;
  const [{ snapshots, problem }, nextAt] = await Promise.all([
    presentSnapshots(box),
    enabledAt === null ? null : backup.timer.nextAt(),
  ]);
  const installed = box.apps.all('installed');
  const latest = latestBackups(snapshots, now());
  const problems = problemsOfBackups(box, installed);
  const apps = installed.map(({ name: app }) => {
    return { app, madeAt: latest.get(app)?.snapshot.time ?? null, problem: problems.get(app) ?? null };
  });
  const backups = snapshots.flatMap(({ shortId: id, time, tags }) => {
    const read = readTags(tags);
    return read === null ? [] : [{ ...read, id, time, awayMs: awayFor(runs, id) }];
  });
  const { shownAddress: repository } = backup.repository;
  const about = { repository, problem, isScheduled: enabledAt !== null, endedAt, runProblem, nextAt };
  return { ...about, warnings: backupWarnings(snapshots, now()), apps, backups: backups.reverse() };
}

type Shown = Pick<BoxPorts, 'apps' | 'backup' | 'now'>;

/** All snapshots, or a text why they cannot be listed. A repository that was never used is no failure. */
export async function presentSnapshots({
  backup: { repository, runs },
}: Pick<BoxPorts, 'backup'>): Promise<{ snapshots: Snapshot[]; problem: string | null }> {
  try {
    return { snapshots: await repository.snapshots([]), problem: null };
  } catch (error) {
    const isMissing = error instanceof ResticFailed && (error.fault === 'no-repository' || error.fault === 'no-key');
    // The first backup makes the repository.
    const isUnused = isMissing && Object.keys(runs.load().apps).length === 0;
    return { snapshots: [], problem: isUnused ? null : toldFailure(error) };
  }
}

/**
 * Switches the backups of every night on or off. A failure leaves them as they were. Returns whether a repository was made.
 * @param at - a time of day such as `03:30`; `null` keeps the one of before
 */
export async function setSchedule(
  { backup, now }: Pick<BoxPorts, 'backup' | 'now'>,
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
export type BackupWork = { doing: string; since: Date; result: ChangeResult | null };

export type BackupWorker = ReturnType<typeof makeBackupWork>;

/**
 * Carries out one long work at a time, and knows the last one until the process ends.
 * @param isStopping - asked between apps
 */
export function makeBackupWork(box: BoxPorts, isStopping = () => false) {
  let latest: BackupWork | null = null;
  const begin = (doing: string, work: (tell: (text: string) => void) => Promise<number>): ChangeResult => {
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
    return { ok: true, text: `${doing} has begun` };
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
      begin(app === '' ? 'a backup of all apps' : `a backup of ${app}`, (tell) =>
        makeBackups(box, { name: app, tell: ({ text }) => tell(text), isStopping }),
      ),
    /** `as`: a second app of this name, beside the first; empty to put the app itself back. */
    restore: ({ app, id, as }: { app: string; id: string; as: string }) =>
      beginCommand(as === '' ? `the restore of ${app}` : `the restore of ${app} as ${as}`, () =>
        as === '' ? restoreFromBackup(box, app, id) : restoreBeside(box, app, id, as),
      ),
    rehearse: (app: string) => beginCommand(`the rehearsal of ${app}`, () => rehearseCommand(box, app)),
    check: () => beginCommand('the check of the backups', async () => ({ status: 0, text: await checkPart(box) })),
  };
}
