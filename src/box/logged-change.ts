import type { CommandResult } from '../lib/command-result.ts';
import { type ChangeEnd, type ChangeEntry, type Journal, journalled } from '../lib/journal.ts';
import { Refusal } from './api/refusals.ts';
import type { AppsBox } from './apps/ports.ts';
import { ContainersFailed, StorageFailed, TooManyChanges } from './core.ts';
import type { Action } from './engine/rules/actions.ts';
import { outcomeOfActions } from './engine/rules/outcomes.ts';
import type { Outcome } from './report.ts';

/**
 * Carries out a change without a request, such as the reconcile at the start, and writes its journal line.
 * choice/box/330
 */
export function asChange(
  journal: Journal,
  change: Pick<ChangeEntry, 'operation' | 'subject' | 'by'>,
  work: () => Promise<Action[]>,
): Promise<Action[]> {
  return journalled<Action[]>(journal, change, work, {
    ofResult: (actions) => outcomeOfActions(actions, change.subject || null),
    ofError: outcomeOfError,
  });
}

/** `refused` means a status below 500; the text is the client's. */
export function outcomeOfError(error: unknown): ChangeEnd {
  if (error instanceof Refusal) return { outcome: error.status < 500 ? 'refused' : 'failed', detail: error.message };
  if (error instanceof TooManyChanges) return { outcome: 'refused', detail: 'too many changes are waiting' };
  const isKnown = error instanceof StorageFailed || error instanceof ContainersFailed;
  return { outcome: 'failed', detail: isKnown ? error.message : 'internal error' };
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
