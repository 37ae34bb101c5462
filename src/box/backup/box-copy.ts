import type { CommandResult } from '../../lib/command-result.ts';
import type { Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { momentText } from '../rules/text/amounts.ts';
import { fillBeside } from './fill-folders.ts';
import { latestOfBox } from './rules/latest-backup.ts';
import { boxTag } from './rules/snapshot-tags.ts';

/** Copies the box's own settings and the owner's own apps; `null` if there is neither. */
export async function backUpBox({ backup }: Pick<AppsBox, 'backup'>): Promise<CommandResult | null> {
  const paths = backup.own.find();
  if (paths.length === 0) return null;
  const { id, unread } = await backup.repository.backUp({ paths, excludes: [], tags: [boxTag] });
  const lacks = unread.length === 0 ? '' : `; ${unread.join(', ')} could not be read`;
  const text = `the box itself: backup ${id.slice(0, 8)} of ${paths.join(', ')}${lacks}`;
  return { status: unread.length === 0 ? 0 : 1, text };
}

export function listedBox({ shortId, time, paths }: Pick<Snapshot, 'shortId' | 'time' | 'paths'>): string {
  return [shortId, momentText(time), 'the box itself', paths.join(', ')].join('\t');
}

/** What of the latest copy of the box came back: folders of the owner's own apps; and what stays as it is here. */
export type ReturnedBox = { id: string; back: string[]; rest: string[] };

/**
 * Brings the owner's own apps back, each folder that is missing or empty here. Settings stay as they are: a new machine
 * may have others. `null` without a copy of the box.
 */
export async function restoreOwnApps(box: AppsBox, snapshots: readonly Snapshot[]): Promise<ReturnedBox | null> {
  const latest = latestOfBox(snapshots, box.now());
  if (latest === null) return null;
  const { own, files } = box.backup;
  const back = own.catalogue.filter((path) => latest.paths.includes(path) && own.isEmpty(path));
  for (const path of back) {
    const folders = [files.plan(path, path, null)];
    try {
      await own.makeParent(path);
      await fillBeside(box, latest.id, folders);
      await files.swap(folders);
    } finally {
      await files.discard(folders);
    }
  }
  return { id: latest.shortId, back, rest: latest.paths.filter((path) => !back.includes(path)) };
}

export function returnedBoxTexts({ id, back, rest }: ReturnedBox): string[] {
  const there = `boxgate box backup restore ${id} --to FOLDER puts them there`;
  return [
    ...back.map((path) => `your own apps are back in ${path}`),
    ...(rest.length === 0 ? [] : [`${rest.join(', ')} stay as they are here; ${there} as they were`]),
  ];
}
