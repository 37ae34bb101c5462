import type { CommandResult } from '../../lib/command-result.ts';
import { journalled } from '../../lib/journal.ts';
import { shownName } from '../../lib/shown-text.ts';
import { outcomeOfError } from '../logged-change.ts';
import type { Outcome } from '../report.ts';
import type { AppsBox } from './ports.ts';
import { deleteRemovedApp, restoreRemovedApp } from './removed-apps.ts';

/** Restores the app of that name that was removed last, and starts it. */
export async function restoreApp(box: AppsBox, name: string): Promise<CommandResult> {
  const entry = box.trash.list().findLast((one) => one.name === name);
  if (entry === undefined) return notKept(name);
  return remembered(box, 'restore', name, () => restoreRemovedApp(box, entry.id));
}

/** Deletes for good all that is kept of removed apps of that name. */
export async function deleteApp(box: AppsBox, name: string): Promise<CommandResult> {
  const entries = box.trash.list().filter((one) => one.name === name);
  if (entries.length === 0) return notKept(name);
  for (const { id } of entries) await deleteRemovedApp(box, id);
  return { status: 0, text: `${shownName(name)} is deleted for good` };
}

function notKept(name: string): CommandResult {
  return { status: 1, text: `no removed app of the name ${JSON.stringify(name)} is kept` };
}

/** Carries out a change of a command, and writes it into the app's history; the journal has only those of the servers. */
export async function remembered(
  box: Pick<AppsBox, 'history'>,
  operation: string,
  subject: string,
  change: () => Promise<Outcome>,
): Promise<CommandResult> {
  const result = await journalled(box.history.add, { operation, subject, by: 'by a command' }, change, {
    ofResult: ({ ok, text }) => ({ outcome: ok ? 'ok' : 'failed', detail: text.split('\n', 1)[0] ?? '' }),
    ofError: outcomeOfError,
  });
  return { status: result.ok ? 0 : 1, text: result.text };
}
