/** The mark of a backup of the box itself: its settings, and the owner's own apps that can be installed. */
export const boxTag = 'boxgate-box';

const mostKept = 7;

type BoxBackup = { id: string; tags: readonly string[]; time: Date; isOwn: boolean };

/** The latest one that this machine made, or took over; `null` without one. */
export function latestBoxBackup<Snapshot extends BoxBackup>(
  snapshots: readonly Snapshot[],
  now: Date,
): Snapshot | null {
  return ownIn(snapshots).findLast(({ time }) => time <= now) ?? null;
}

/** All but the latest ones. */
export function boxBackupsToForget(snapshots: readonly BoxBackup[]): string[] {
  return ownIn(snapshots)
    .slice(0, -mostKept)
    .map(({ id }) => id);
}

function ownIn<Snapshot extends BoxBackup>(snapshots: readonly Snapshot[]): Snapshot[] {
  return snapshots.filter(({ tags, isOwn }) => isOwn && tags.includes(boxTag));
}
