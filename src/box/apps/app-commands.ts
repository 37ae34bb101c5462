import { shownName } from '../../lib/shown-text.ts';
import type { BoxPorts } from '../ports.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { changedKeys } from '../rules/dotenv/changed-keys.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import { appOutcome } from '../rules/reconcile/app-outcome.ts';
import { readableManifest, refuseNotInstalled } from './catalogue.ts';
import { envToChange } from './env-file.ts';
import { plannedWithEnv } from './planned-project.ts';
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
    return outcome(name, `${name} has its previous settings again (${what})`, actions);
  });
}

/**
 * Restores the app of that name that was removed last, and starts it.
 * choice/box/116
 */
export function restoreApp(box: BoxPorts, name: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    const entry = box.trash.list().findLast((one) => one.name === name);
    if (entry === undefined) {
      return { status: 1, text: `no removed app of the name ${JSON.stringify(name)} is kept` };
    }
    await box.trash.restore(entry.id);
    return outcome(name, `${name} is back`, await reconcile(box, name));
  });
}

/** Takes the folders that an app mounts as they are now, and starts it. */
export function acceptDisks(box: BoxPorts, name: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    refuseNotInstalled(box, name);
    await box.disks.remember(new Map([[name, {}]]));
    return outcome(name, `the folders of ${name} are taken as they are`, await reconcile(box, name));
  });
}

function outcome(name: string, done: string, actions: readonly Action[]): CommandResult {
  const { isUp, ending, lines } = appOutcome(name, actions);
  return { status: isUp ? 0 : 1, text: [`${done}${ending}`, ...lines].map(shownName).join('\n') };
}
