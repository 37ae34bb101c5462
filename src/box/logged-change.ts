import { type ChangeEnd, type ChangeEntry, type Journal, journalled } from '../lib/journal.ts';
import { Refusal } from './api/refusals.ts';
import { ContainersFailed, StorageFailed, TooManyChanges } from './core.ts';
import type { Action } from './engine/rules/actions.ts';
import { outcomeOfActions } from './engine/rules/change-outcome.ts';

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
