import type { CommandResult } from '../../lib/command-result.ts';
import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { momentText } from '../rules/text/amounts.ts';
import { restoreOwnApps } from './box-copy.ts';
import { restoreFromBackup } from './restore-app.ts';
import { backupWarnings, type Latest, latestBackups } from './rules/latest-backup.ts';
import type { SnapshotTags } from './rules/snapshot-tags.ts';
import { toldFailure } from './told-failure.ts';

/** In the place of an app's name: the owner's own apps that can be installed, and the settings of the box. */
export const boxItself = '.';

/** How an app came back; `app` may also be `boxItself`. */
export type Return = { app: string; result: CommandResult };

export type ReturnOptions = {
  /** Chosen names of apps and `boxItself`; without it all. */
  chosen?: ReadonlySet<string>;
  /** Called before each app. */
  begins?(app: string, number: number, of: number): void;
  tell(one: Return): unknown;
};

/**
 * Brings apps back that are not installed, each from its latest backup, as on a new machine. An app whose latest backup
 * was made by its removal comes back only if it is chosen by name. Returns the exit status of the command: 1 if an app
 * failed.
 */
export async function bringBack(box: AppsBox, { chosen, begins, tell }: ReturnOptions): Promise<number> {
  const snapshots = await box.backup.repository.snapshots([]);
  const latest = latestBackups(snapshots, box.now());
  const warnings = backupWarnings(snapshots, box.now());
  if (latest.size === 0) {
    const none = `there is no backup at ${box.backup.repository.shownAddress}`;
    throw new ResticFailed([none, ...warnings].join('; '), 'no-snapshot');
  }
  let status = 0;
  const report = (app: string, result: CommandResult) => {
    status = Math.max(status, result.status);
    tell({ app, result });
  };
  for (const text of warnings) tell({ app: '', result: { status: 1, text } });
  if (chosen?.has(boxItself) ?? true) {
    const failed = (error: unknown): CommandResult[] => [{ status: 1, text: `the box itself: ${toldFailure(error)}` }];
    for (const result of await restoreOwnApps(box, snapshots).catch(failed)) report(boxItself, result);
  }
  const wanted = [...latest].filter(([app]) => chosen?.has(app) ?? true).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [app, { snapshot, tags }]] of wanted.entries()) {
    begins?.(app, index + 1, wanted.length);
    const result = await restoreOne(box, snapshot, tags, chosen !== undefined);
    report(app, { ...result, text: `${app}: ${result.text}` });
  }
  return status;
}

async function restoreOne(
  box: AppsBox,
  snapshot: Snapshot,
  { app, isRemoved, isIncomplete }: SnapshotTags,
  isChosen: boolean,
): Promise<CommandResult> {
  if (box.apps.one('installed', app) !== null) return { status: 0, text: 'is installed already, and stays as it is' };
  if (isRemoved && !isChosen) {
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

/** The latest backups of apps that are not installed, by name; those of removed apps last. */
export function missingApps(box: AppsBox, snapshots: readonly Snapshot[]): Latest<Snapshot>[] {
  return [...latestBackups(snapshots, box.now()).values()]
    .filter(({ tags }) => box.apps.one('installed', tags.app) === null)
    .sort((a, b) => Number(a.tags.isRemoved) - Number(b.tags.isRemoved) || (a.tags.app < b.tags.app ? -1 : 1));
}
