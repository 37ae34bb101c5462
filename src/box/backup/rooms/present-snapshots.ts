import { ResticFailed, type Snapshot } from '../../../restic/ports.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { problemTexts } from '../backup-problems.ts';
import { backupWarnings } from '../rules/latest-backup.ts';
import { toldFailure } from '../told-failure.ts';

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
