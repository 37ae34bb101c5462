import type { CommandResult } from '../../lib/command-result.ts';
import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import type { TrashEntry } from '../change/ports.ts';
import { StorageFailed } from '../core.ts';
import type { Outcome } from '../report.ts';
import type { AppsBox } from './ports.ts';

const dayMs = 24 * 60 * 60 * 1000;

export type RemovedApp = TrashEntry & {
  /** When the box deletes it for good. */
  deletedAt: Date;
  /** An app of its name is installed again, so it cannot be restored. */
  isReplaced: boolean;
};

/** The removed apps that are still kept, the latest first. */
export function listRemovedApps(box: Pick<AppsBox, 'trash' | 'folders' | 'keepRemovedDays'>): RemovedApp[] {
  const installed = new Set(box.folders.list('installed').map(({ name }) => name));
  const entries = box.trash.list().map((entry) => ({
    ...entry,
    deletedAt: new Date(entry.removedAt.getTime() + box.keepRemovedDays * dayMs),
    isReplaced: installed.has(entry.name),
  }));
  return entries.reverse();
}

export async function deleteRemovedApp(box: AppsBox, id: string): Promise<Outcome> {
  const { name } = keptApp(box, id);
  await erase(box, () => [keptApp(box, id)]);
  return { ok: true, text: shownName(`${name} is deleted for good`) };
}

export async function deleteApp(box: AppsBox, name: string): Promise<CommandResult> {
  const entries = box.trash.list().filter((one) => one.name === name);
  if (entries.length === 0) return notKept(name);
  for (const { id } of entries) await deleteRemovedApp(box, id);
  return { status: 0, text: `${shownName(name)} is deleted for good` };
}

export function notKept(name: string): CommandResult {
  return { status: 1, text: `no removed app of the name ${JSON.stringify(name)} is kept` };
}

/** Erases apps whose time in the trash is over. Called at a start and once a day. */
export async function purgeTrash(box: AppsBox): Promise<void> {
  const isDue = ({ deletedAt }: RemovedApp) => deletedAt <= box.now();
  const erased = erase(box, () => listRemovedApps(box).filter(isDue));
  await erased.catch(ignore(StorageFailed, ({ message }) => box.warn(message)));
}

/** Only choosing the apps takes a turn among the changes; erasing may take minutes and blocks no change. */
async function erase(box: AppsBox, choose: () => RemovedApp[]): Promise<void> {
  if (choose().length > 0) {
    await box.changes.run(async () => {
      for (const { id } of choose()) await box.trash.condemn(id);
    });
  }
  if (await box.trash.eraseCondemned()) await box.changes.run(async () => box.trash.tidy());
}

export function keptApp(box: AppsBox, id: string): RemovedApp {
  return listRemovedApps(box).find((one) => one.id === id) ?? refuse('removedAppGone');
}
