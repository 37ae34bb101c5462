import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import type { BoxPorts } from '../ports.ts';
import { momentText } from '../rules/backup/backup-texts.ts';
import { backupWarnings, latestBackups } from '../rules/backup/latest-backup.ts';
import type { SnapshotTags } from '../rules/backup/snapshot-tags.ts';
import { restoreOwnApps } from './box-copy.ts';
import { toldFailure } from './make-backup.ts';
import { restoreFromBackup } from './restore-app.ts';

/**
 * Brings every app back that is not installed, each from its latest backup, as on a new machine. An app whose latest
 * backup was made by its removal stays away. Returns the exit status of the command: 1 if an app failed.
 */
export async function restoreAll(box: BoxPorts, tell: (result: CommandResult) => unknown): Promise<number> {
  const snapshots = await box.backup.repository.snapshots([]);
  const latest = latestBackups(snapshots, box.now());
  const warnings = backupWarnings(snapshots, box.now());
  if (latest.size === 0) {
    const none = `there is no backup at ${box.backup.repository.shownAddress}`;
    throw new ResticFailed([none, ...warnings].join('; '), 'no-snapshot');
  }
  for (const text of warnings) tell({ status: 1, text });
  let status = 0;
  const report = (result: CommandResult) => {
    status = Math.max(status, result.status);
    tell(result);
  };
  const failed = (error: unknown): CommandResult[] => [{ status: 1, text: `the box itself: ${toldFailure(error)}` }];
  for (const result of await restoreOwnApps(box, snapshots).catch(failed)) report(result);
  for (const [app, { snapshot, tags }] of [...latest].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const result = await restoreOne(box, snapshot, tags);
    report({ ...result, text: `${app}: ${result.text}` });
  }
  return status;
}

async function restoreOne(box: BoxPorts, snapshot: Snapshot, tags: SnapshotTags): Promise<CommandResult> {
  const { app, isRemoved, isIncomplete } = tags;
  if (box.apps.one('installed', app) !== null) return { status: 0, text: 'is installed already, and stays as it is' };
  if (isRemoved) {
    const text = `was removed at ${momentText(snapshot.time)}, so it is left out; boxgate box backup restore ${app} brings it back`;
    return { status: 0, text };
  }
  try {
    const { status, text } = await restoreFromBackup(box, app, snapshot.id);
    const lacks = isIncomplete ? ['  some files could not be read when the backup was made'] : [];
    return { status, text: [text, ...lacks].join('\n') };
  } catch (error) {
    return { status: 1, text: `was not restored: ${toldFailure(error)}` };
  }
}
