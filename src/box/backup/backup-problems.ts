import { attempt } from '../../lib/ignore.ts';
import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { StorageFailed } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { type BackupRuns, backupProblems, isOverdue, noRuns } from './rules/backup-runs.ts';
import { backupWarnings } from './rules/latest-backup.ts';
import { toldFailure } from './told-failure.ts';

type View = { apps: readonly KnownApp[]; isOverdue: boolean; problems: ReadonlyMap<string, string> };
const views = new WeakMap<BackupRuns, View>();

/** By app, why it has no fresh backup that can be trusted. The same map while nothing changed. */
export function problemsOfBackups(
  { backup, now }: Pick<AppsBox, 'backup' | 'now'>,
  apps: readonly KnownApp[],
): ReadonlyMap<string, string> {
  const runs = readable(backup);
  const late = isOverdue(runs, now());
  const before = views.get(runs);
  if (before?.apps === apps && before.isOverdue === late) return before.problems;
  const names = apps.map(({ name }) => name);
  const problems = backupProblems(runs, names, now());
  views.set(runs, { apps, isOverdue: late, problems });
  return problems;
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

/** One text for each problem, with the apps that have it. */
export function problemTexts(box: Pick<AppsBox, 'apps' | 'backup' | 'now'>): string[] {
  const byText = Map.groupBy(problemsOfBackups(box, box.apps.all('installed')), ([, text]) => text);
  return [...byText].map(([text, entries]) => `${entries.map(([app]) => app).join(', ')}: ${text}`);
}

export function warnOfBackups(box: Pick<AppsBox, 'apps' | 'backup' | 'now' | 'warn'>): void {
  for (const text of problemTexts(box)) box.warn(`backups of ${text}`);
}

/** All snapshots, or a text why they cannot be listed. A repository that was never used is no failure. */
export async function presentSnapshots({
  backup: { repository, runs },
}: Pick<AppsBox, 'backup'>): Promise<{ snapshots: Snapshot[]; problem: string | null }> {
  try {
    return { snapshots: await repository.snapshots(), problem: null };
  } catch (error) {
    const isMissing = error instanceof ResticFailed && (error.fault === 'no-repository' || error.fault === 'no-key');
    // The first backup makes the repository.
    const isUnused = isMissing && Object.keys(runs.load().apps).length === 0;
    return { snapshots: [], problem: isUnused ? null : toldFailure(error) };
  }
}

/** A text for everything that is wrong with the backups. */
export async function backupFaults(box: Pick<AppsBox, 'apps' | 'backup' | 'now'>): Promise<string[]> {
  const { snapshots, problem } = await presentSnapshots(box);
  return [...problemTexts(box), ...(problem === null ? [] : [problem]), ...backupWarnings(snapshots, box.now())];
}

/** The lists of apps do not fail for an unreadable record. */
function readable({ runs }: AppsBox['backup']): BackupRuns {
  return attempt(runs.load, StorageFailed, () => noRuns);
}

/** Whether a backup, restore or update was cut off, or waits until it can be finished. */
export function isUnfinished({ files, waiting }: Pick<AppsBox['backup'], 'files' | 'waiting'>): boolean {
  return files.journal() !== null || waiting.apps().length > 0;
}
