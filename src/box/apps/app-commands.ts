import { shownName } from '../../lib/shown-text.ts';
import type { BoxPorts } from '../ports.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { changedKeys } from '../rules/dotenv/changed-keys.ts';
import { diskProblemOf } from '../space/disks.ts';
import { readableManifest, refuseNotInstalled } from './catalogue.ts';
import { envToChange } from './env-file.ts';
import { plannedWithEnv } from './planned-project.ts';
import { type ChangeResult, deleteRemovedApp, restoreRemovedApp, resultFor } from './removed-apps.ts';
import { writeReplacing } from './replaced-files.ts';

/** The removed apps that are still kept, one line each, the oldest first. */
export function trashLines({ trash }: Pick<BoxPorts, 'trash'>): string[] {
  return trash.list().map(({ name, removedAt }) => `${shownName(name)}\tremoved ${removedAt.toISOString()}`);
}

export type CommandResult = { status: number; text: string };

/**
 * Restores the `.env` that an app had before its latest change, and reconciles all apps. The replaced `.env` becomes
 * the previous one. Refused like a settings update, and without a previous `.env`.
 * choice/box/289
 */
export function undoSettings(box: BoxPorts, name: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    readableManifest('installed', refuseNotInstalled(box, name));
    await box.installFiles.finish(name);
    const before = envToChange(box, name);
    const after = envToChange(box, name, '.env.bak');
    if (after === null || after === before) {
      return { status: 1, text: `there is nothing to undo: no other .env of ${shownName(name)} is kept` };
    }
    const picture = await box.observer.look();
    const planned = await plannedWithEnv(box, { name, before, after }, picture);
    await writeReplacing(box, name, ['.env'], () => box.installFiles.swapEnv(name, after));
    const what = changedKeys(before ?? '', after) || 'no value changed';
    const actions = await reconcile(box, name, picture, { planned });
    return commandResult(resultFor(name, `${name} has its previous settings again (${what})`, actions));
  });
}

/** Restores the app of that name that was removed last, and starts it. */
export async function restoreApp(box: BoxPorts, name: string): Promise<CommandResult> {
  const entry = box.trash.list().findLast((one) => one.name === name);
  return entry === undefined ? notKept(name) : commandResult(await restoreRemovedApp(box, entry.id));
}

/** Takes the folders that an app mounts as they are now, and starts it. */
export function acceptDisks(box: BoxPorts, name: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    refuseNotInstalled(box, name);
    if (diskProblemOf(box, name, box.records.load().get(name)?.model ?? null) === null) {
      return { status: 1, text: `no disk of ${shownName(name)} is missing` };
    }
    await box.disks.remember(new Map([[name, {}]]));
    return commandResult(resultFor(name, `the folders of ${name} are taken as they are`, await reconcile(box, name)));
  });
}

/** Deletes for good all that is kept of removed apps of that name. */
export async function deleteApp(box: BoxPorts, name: string): Promise<CommandResult> {
  const entries = box.trash.list().filter((one) => one.name === name);
  if (entries.length === 0) return notKept(name);
  for (const { id } of entries) await deleteRemovedApp(box, id);
  return { status: 0, text: `${shownName(name)} is deleted for good` };
}

function notKept(name: string): CommandResult {
  return { status: 1, text: `no removed app of the name ${JSON.stringify(name)} is kept` };
}

export function commandResult({ ok, text }: ChangeResult): CommandResult {
  return { status: ok ? 0 : 1, text };
}
