import { attempt } from '../../lib/ignore.ts';
import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { StorageFailed, type Subject } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { type Finding, off, ok, problem } from '../rules/findings/finding.ts';
import { type BackupRuns, backupProblems, isOverdue, noRuns } from './rules/backup-runs.ts';
import { backupWarnings } from './rules/latest-backup.ts';
import { toldFailure } from './told-failure.ts';

type Runs = Pick<AppsBox, 'backup' | 'now'>;
type Apps = Pick<AppsBox, 'apps' | 'backup' | 'now'>;

/** By app, why it has no fresh backup that can be trusted. */
export function problemsOfBackups({ backup, now }: Runs, apps: readonly KnownApp[]): Map<string, string> {
  const names = apps.map(({ name }) => name);
  return backupProblems(readable(backup), names, now());
}

/** What these problems are made of, beside the apps: the same values while nothing changed. */
export function seenOfBackups({ backup, now }: Runs): readonly unknown[] {
  const runs = readable(backup);
  return [runs, isOverdue(runs, now())];
}

/** When the latest good backup of each installed app was made, in seconds since 1970. */
export function lastSuccesses({ apps, backup }: Pick<AppsBox, 'apps' | 'backup'>): Map<string, number> {
  const { apps: latest } = readable(backup);
  return new Map(
    apps.all('installed').flatMap(({ name }) => {
      const at = Date.parse(latest[name]?.succeededAt ?? '');
      return Number.isNaN(at) ? [] : [[name, at / 1000] as const];
    }),
  );
}

/** One text for each problem, but `known`, with the apps that have it. */
export function problemTexts(box: Apps, known: string | null = null): string[] {
  const byText = Map.groupBy(problemsOfBackups(box, box.apps.all('installed')), ([, text]) => text);
  byText.delete(known ?? '');
  return [...byText].map(([text, entries]) => `${entries.map(([app]) => app).join(', ')}: ${text}`);
}

export function warnOfBackups(box: Apps & Pick<AppsBox, 'warn'>): void {
  for (const text of problemTexts(box)) box.warn(`backups of ${text}`);
}

export type PresentSnapshots = { snapshots: Snapshot[]; problem: string | null; warnings: string[] };

/** All snapshots, or a text why they cannot be listed. A repository that was never used is no failure. */
export async function presentSnapshots({ backup: { repository, runs }, now }: Runs): Promise<PresentSnapshots> {
  try {
    const snapshots = await repository.snapshots();
    return { snapshots, problem: null, warnings: backupWarnings(snapshots, now()) };
  } catch (error) {
    const isMissing = error instanceof ResticFailed && (error.fault === 'no-repository' || error.fault === 'no-key');
    // The first backup makes the repository.
    const isUnused = isMissing && Object.keys(runs.load().apps).length === 0;
    return { snapshots: [], problem: isUnused ? null : toldFailure(error), warnings: [] };
  }
}

/** What the doctor says of backups. */
export function backupSubject(box: Apps): Subject {
  return { examine: async () => [...(await examineBackups(box)), ...(await examineUpdates(box))] };
}

async function examineBackups(box: Apps): Promise<Finding[]> {
  if (box.backup.runs.load().enabledAt === null)
    return [
      off('backups', 'no backup is made at night: switch that on in the console, or with boxgate box backup enable'),
    ];
  const { problem: failure, warnings } = await presentSnapshots(box);
  const all = [...problemTexts(box), ...(failure === null ? [] : [failure]), ...warnings];
  return all.length === 0
    ? [ok('backups', 'the latest of every app is good')]
    : all.map((text) => problem('backups', text));
}

/** Before an update fails, its owner knows whether its data would come back. */
async function examineUpdates({ backup }: Pick<AppsBox, 'backup'>): Promise<Finding[]> {
  if (backup.beforeUpdate && (await backup.repository.isAvailable()))
    return [ok('updates of apps', 'each begins with a copy of the app, which comes back if the new version fails')];
  const why = backup.beforeUpdate ? 'restic is not installed' : 'BOX_BACKUP_BEFORE_UPDATE is off';
  return [off('updates of apps', `none makes a copy of the data, so a version that fails leaves it changed: ${why}`)];
}

/** The lists of apps do not fail for an unreadable record. */
function readable({ runs }: AppsBox['backup']): BackupRuns {
  return attempt(runs.load, StorageFailed, () => noRuns);
}

/** Whether a backup, restore or update was cut off, or waits until it can be finished. */
export function isUnfinished({ files, waiting }: Pick<AppsBox['backup'], 'files' | 'waiting'>): boolean {
  return files.journal() !== null || waiting.apps().length > 0;
}
