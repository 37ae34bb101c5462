import { journalled } from '../../lib/journal.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { diskProblemOf } from '../engine/disks.ts';
import { reconcile } from '../engine/reconcile.ts';
import { outcomeOfError } from '../logged-change.ts';
import type { BoxPorts } from '../ports.ts';
import { type ChangeResult, deleteRemovedApp, restoreRemovedApp, resultFor } from './removed-apps.ts';
import { restartApp } from './restart-app.ts';
import { undoAppSettings } from './undo-settings.ts';

/** The removed apps that are still kept, one line each, the oldest first. */
export function trashLines({ trash }: Pick<BoxPorts, 'trash'>): string[] {
  return trash.list().map(({ name, removedAt }) => `${shownName(name)}\tremoved ${removedAt.toISOString()}`);
}

export type CommandResult = { status: number; text: string };

/** Undoes the latest change of an app's settings. */
export function undoSettings(box: BoxPorts, name: string): Promise<CommandResult> {
  return remembered(box, 'undo settings', name, () => undoAppSettings(box, name));
}

export function restartCommand(box: BoxPorts, name: string): Promise<CommandResult> {
  return remembered(box, 'restart', name, () => restartApp(box, name));
}

/** Restores the app of that name that was removed last, and starts it. */
export async function restoreApp(box: BoxPorts, name: string): Promise<CommandResult> {
  const entry = box.trash.list().findLast((one) => one.name === name);
  if (entry === undefined) return notKept(name);
  return remembered(box, 'restore', name, () => restoreRemovedApp(box, entry.id));
}

/** Takes the folders that an app mounts as they are now, and starts it. */
export function acceptDisks(box: BoxPorts, name: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    refuseNotInstalled(box, name);
    if (diskProblemOf(box, name, box.records.load().get(name)?.model ?? null) === null) {
      return { status: 1, text: `no disk of ${shownName(name)} is missing` };
    }
    await box.disks.remember(new Map([[name, {}]]));
    return commandResult(resultFor(name, `${name} takes its folders as they are`, await reconcile(box, name)));
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

/** Carries out a change of a command, and writes it into the app's history; the journal has only those of the servers. */
async function remembered(
  box: Pick<BoxPorts, 'room'>,
  operation: string,
  subject: string,
  change: () => Promise<ChangeResult>,
): Promise<CommandResult> {
  const result = await journalled(box.room.history.add, { operation, subject, by: 'by a command' }, change, {
    ofResult: ({ ok, text }) => ({ outcome: ok ? 'ok' : 'failed', detail: text.split('\n', 1)[0] ?? '' }),
    ofError: outcomeOfError,
  });
  return commandResult(result);
}
