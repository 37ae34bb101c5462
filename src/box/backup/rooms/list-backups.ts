import type { CommandResult } from '../../../lib/command-result.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { listedBox } from '../box-copy.ts';
import { factsOf, findSnapshot } from '../fill-folders.ts';
import { awayFor } from '../rules/backup-runs.ts';
import { listedText, shownFacts } from '../rules/backup-texts.ts';
import { backupWarnings } from '../rules/latest-backup.ts';
import { boxTag, readTags } from '../rules/snapshot-tags.ts';

/** One line for each backup of an app, or of all apps (`''`), the oldest first; and what to know about all of them. */
export async function backupLines({ backup, now }: AppsBox, app: string) {
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
  const { snapshot, tags } = await findSnapshot(box, id);
  return tags === null ? listedBox(snapshot) : shownFacts(snapshot, tags, await factsOf(box, snapshot));
}

/** The key of the backups, which its owner sees from now on. */
export async function shownKey({ repository, runs }: AppsBox['backup']): Promise<string> {
  const key = await repository.key();
  await runs.change((known) => ({ ...known, isKeyKept: true }));
  return key;
}

/** The key, with the words that its owner has to know. */
export async function keyText({ backup }: Pick<AppsBox, 'backup'>): Promise<string> {
  return [
    await shownKey(backup),
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
