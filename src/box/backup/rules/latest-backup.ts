import type { Snapshot } from '../../../restic/ports.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { boxTag, readTags, type SnapshotTags } from './snapshot-tags.ts';

/** In the place of an app's name: the owner's own apps that can be installed, and the settings of the box. */
export const boxItself = '.';

export type Latest = { snapshot: Snapshot; tags: SnapshotTags };

/**
 * The latest backup of each app. A backup from the future, a copy that a restore made before, and a backup of another
 * machine do not count: they are restored only by their ids.
 * @param snapshots - the oldest first
 */
export function latestBackups(snapshots: readonly Snapshot[], now: Date): Map<string, Latest> {
  return new Map(
    backupsIn(snapshots)
      .filter((backup) => whyNotLatest(backup, now) === null)
      .map((backup) => [backup.tags.app, backup]),
  );
}

/** The latest backup of the box itself; `null` without one. */
export function latestOfBox(snapshots: readonly Snapshot[], now: Date): Snapshot | null {
  return snapshots.findLast(({ tags, isOwn, time }) => isOwn && tags.includes(boxTag) && time <= now) ?? null;
}

export function whyNoLatest(snapshots: readonly Snapshot[], app: string, now: Date): string {
  const found = backupsIn(snapshots).findLast(({ tags }) => tags.app === app);
  if (found === undefined) return `there is no backup of ${app}`;
  const why = whyNotLatest(found, now);
  return `no backup of ${app} counts as its latest: ${found.snapshot.shortId} ${why}; to take it all the same, name it by its id`;
}

/** What an owner has to know about the backups: those from the future, and another machine at work. */
export function backupWarnings(snapshots: readonly Snapshot[], now: Date): string[] {
  const all = backupsIn(snapshots);
  const future = all.filter(({ snapshot }) => snapshot.time > now);
  const [first] = future;
  const latest = new Map(all.filter((one) => !future.includes(one)).map((one) => [one.tags.app, one]));
  const foreign = [...latest.values()].filter(({ snapshot }) => !snapshot.isOwn);
  const byHost = Map.groupBy(foreign, ({ snapshot }) => snapshot.host);
  const warnings = [...byHost].map(([host, of]) => {
    const apps = of.map(({ tags }) => tags.app).join(', ');
    return `another machine, ${host}, made the latest backup of ${apps}: only one machine may work with a repository, so give this one its own (BOX_BACKUP_REPOSITORY), or switch ${host} off and take its backups over with boxgate box backup adopt`;
  });
  if (first === undefined) return warnings;
  const { snapshot, tags } = first;
  const many = future.length === 1 ? 'a backup is' : `${future.length} backups are`;
  const such = `${snapshot.shortId} of ${tags.app} (${momentText(snapshot.time)})`;
  const why = 'the clock was wrong then, or is wrong now; such a backup never counts as the latest';
  return [`${many} dated in the future, such as ${such}: ${why}`, ...warnings];
}

function backupsIn(snapshots: readonly Snapshot[]): Latest[] {
  return snapshots.flatMap((snapshot) => {
    const tags = readTags(snapshot.tags);
    return tags === null ? [] : [{ snapshot, tags }];
  });
}

function whyNotLatest({ snapshot, tags }: Latest, now: Date): string | null {
  if (tags.reason === 'restore') return 'has what a restore replaced';
  if (snapshot.time > now) return `is dated in the future (${momentText(snapshot.time)})`;
  return snapshot.isOwn ? null : `was made by another machine, ${snapshot.host}`;
}
