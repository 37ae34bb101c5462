export type Reason = 'manual' | 'update' | 'remove' | 'restore' | 'schedule';

/** What the tags of a snapshot say. Restic separates tags by commas, so values are encoded. */
export type SnapshotTags = {
  app: string;
  reason: string;
  version: string;
  /** Some files could not be read. */
  isIncomplete: boolean;
  /** The app was removed after this backup, and did not come back. */
  isRemoved: boolean;
};

/** The mark of the first pass, which copies a running app. Such a snapshot is never restored. */
export const draftTag = 'first-pass';
export const incompleteTag = 'incomplete';
/** The mark of a backup before a removal whose app came back. */
export const returnedTag = 'returned';
/** The mark of a backup of the box itself: its settings, and the owner's own apps that can be installed. */
export const boxTag = 'boxgate-box';

export function tagsOf({ app, reason, version }: { app: string; reason: Reason; version: string }): string[] {
  return [`app=${encodeURIComponent(app)}`, `reason=${reason}`, `version=${encodeURIComponent(version)}`];
}

/** `null` for a snapshot of something else, and for a first pass. */
export function readTags(tags: readonly string[]): SnapshotTags | null {
  const value = (name: string) => tags.find((tag) => tag.startsWith(`${name}=`))?.slice(name.length + 1);
  const app = decoded(value('app'));
  if (app === null || app === '' || tags.includes(draftTag)) return null;
  const reason = value('reason') ?? '';
  return {
    app,
    reason,
    version: decoded(value('version')) ?? '',
    isIncomplete: tags.includes(incompleteTag),
    isRemoved: reason === 'remove' && !tags.includes(returnedTag),
  };
}

function decoded(text: string | undefined): string | null {
  try {
    return text === undefined ? null : decodeURIComponent(text);
  } catch {
    return null; // Somebody else made this tag.
  }
}
