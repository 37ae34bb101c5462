import type { CommandResult } from '../../lib/command-result.ts';
import type { Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { momentText } from '../rules/text/amounts.ts';
import { fillBeside } from './fill-folders.ts';
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

/**
 * Brings the owner's own apps back, each folder that is missing or empty here, and says where the other settings are.
 * Settings stay as they are: a new machine may have others.
 */
export async function restoreOwnApps(box: AppsBox, snapshots: readonly Snapshot[]): Promise<CommandResult[]> {
  const isPast = ({ time }: Snapshot) => time <= box.now();
  const latest = snapshots.findLast((one) => one.isOwn && one.tags.includes(boxTag) && isPast(one));
  if (latest === undefined) return [];
  const { own, files } = box.backup;
  const back = own.catalogue.filter((path) => latest.paths.includes(path) && own.isEmpty(path));
  for (const path of back) {
    const folders = [{ ...files.plan(path, path, null), path }];
    try {
      await fillBeside(box, latest.id, folders);
      await files.swap(folders);
    } finally {
      await files.discard(folders);
    }
  }
  const texts = back.map((path) => `your own apps are back in ${path}`);
  const rest = latest.paths.filter((path) => !back.includes(path));
  const there = `boxgate box backup restore ${latest.shortId} --to FOLDER puts them there`;
  if (rest.length > 0) texts.push(`${rest.join(', ')} stay as they are here; ${there} as they were`);
  return texts.map((text) => ({ status: 0, text: `the box itself: ${text}` }));
}
