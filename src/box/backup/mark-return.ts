import { ResticFailed } from '../../restic/ports.ts';
import type { BoxPorts } from '../ports.ts';
import { latestBackups } from '../rules/backup/latest-backup.ts';
import { returnedTag } from '../rules/backup/snapshot-tags.ts';

/**
 * Notes in the repository that a removed app is there again. Otherwise, if the machine is lost before the next night,
 * `restore --all` would leave the app out. A failure is only a warning, as the next backup says the same.
 */
export async function markReturn(box: BoxPorts, app: string): Promise<void> {
  const { repository } = box.backup;
  try {
    if (!(await repository.isAvailable())) return;
    const latest = latestBackups(await repository.snapshots([]), box.now()).get(app);
    if (latest?.tags.isRemoved) await repository.addTags(latest.snapshot.id, [returnedTag]);
  } catch (error) {
    if (!(error instanceof ResticFailed)) throw error;
    if (error.fault === 'no-repository' || error.fault === 'no-key') return; // No backup was ever made.
    box.warn(`until its next backup, restore --all on another machine leaves ${app} out: ${error.message}`);
  }
}
