import type { CommandResult } from '../../../lib/command-result.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { listedBox } from '../box-copy.ts';
import { findSnapshot } from '../fill-folders.ts';
import { awayFor } from '../rules/backup-runs.ts';
import { listedText, shownFacts } from '../rules/backup-texts.ts';
import { backupWarnings } from '../rules/latest-backup.ts';
import { boxTag, readTags } from '../rules/snapshot-tags.ts';

/** One line for each backup of an app, or of all apps (`''`), the oldest first; and what to know about all of them. */
export async function backupLines(
  { backup, now }: Pick<AppsBox, 'backup' | 'now'>,
  app: string,
): Promise<{ lines: string[]; warnings: string[] }> {
  const snapshots = await backup.repository.snapshots();
  const runs = backup.runs.load();
  const lines = snapshots.flatMap((snapshot) => {
    const tags = readTags(snapshot.tags);
    if (app === '' && snapshot.tags.includes(boxTag)) return [listedBox(snapshot)];
    if (tags === null || ![tags.app, ''].includes(app)) return [];
    return [listedText(snapshot, tags, awayFor(runs, snapshot.id))];
  });
  return { lines, warnings: backupWarnings(snapshots, now()) };
}

export async function backupText(box: AppsBox, id: string): Promise<string> {
  const ofBox = (await box.backup.repository.snapshots(boxTag)).find((one) => one.id.startsWith(id));
  if (ofBox !== undefined) return listedBox(ofBox);
  const { snapshot, tags, facts } = await findSnapshot(box, id);
  return shownFacts(snapshot, tags, facts);
}

/** The key, with the words that its owner has to know. */
export async function keyText({ backup }: Pick<AppsBox, 'backup'>): Promise<string> {
  const key = await backup.repository.key();
  await backup.runs.change((runs) => ({ ...runs, isKeyKept: true }));
  return [
    key,
    '',
    'This is the key of the backups of this box. Whoever loses this box and this key loses the backups.',
    'Keep a copy in another place, such as a password manager or on paper. Whoever has it can read the backups.',
  ].join('\n');
}

/** Puts all files of a backup below a new folder, under their whole paths. */
export async function restoreToFolder({ backup }: AppsBox, id: string, folder: string): Promise<CommandResult> {
  if (backup.files.isThere(folder)) return { status: 1, text: `${folder} is there already; name a new folder` };
  await backup.repository.restore(id, folder);
  return { status: 0, text: `the files of the backup ${id} are in ${folder}, under their whole paths` };
}
