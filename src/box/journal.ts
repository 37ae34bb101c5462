import { type ChangeEntry, type Journal, journalled, type Outcome } from '../lib/journal.ts';
import type { Action } from './engine/rules/actions.ts';
import { outcomeOfActions, outcomeOfUpdate } from './engine/rules/change-outcome.ts';
import { ContainersFailed, StorageFailed, TooManyChanges } from './ports.ts';
import { Refusal } from './refusals.ts';
import type { ImageChange } from './rules/compose/image-changes.ts';
import type { OperationId } from './validators.gen.ts';

/** The operations that change something, with their verbs in the journal. choice/box/330 */
export const changeVerbs: Readonly<Partial<Record<OperationId, string>>> = {
  installApp: 'install',
  updateAppSettings: 'configure',
  updateApp: 'update',
  removeApp: 'remove',
  applySelfUpdate: 'self-update',
};

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

/** The fields of successful replies that the journal reads. */
type ChangeBody = {
  actions?: readonly Action[] | null;
  /** The path of the app's directory. */
  installed?: string;
  updated?: string | boolean;
  starting?: readonly string[];
  services?: readonly ImageChange[] | null;
  to_version?: string;
  compose_warning?: string | null;
  unit?: string;
};

/** Derives the outcome from a reply. */
export function outcomeOfBody(body: ChangeBody): Outcome {
  const { actions, installed, updated, services, starting, to_version, compose_warning, unit } = body;
  const app = installed?.split('/').at(-1) ?? (typeof updated === 'string' ? updated : null);
  if (actions) return outcomeOfActions(actions, app);
  if (services) return outcomeOfUpdate(services, starting, to_version);
  return { outcome: 'ok', detail: compose_warning ?? (unit === undefined ? '' : `${unit} started`) };
}

/** `refused` means a status below 500; the text is the client's. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof Refusal) return { outcome: error.status < 500 ? 'refused' : 'failed', detail: error.message };
  if (error instanceof TooManyChanges) return { outcome: 'refused', detail: 'too many changes are waiting' };
  const isKnown = error instanceof StorageFailed || error instanceof ContainersFailed;
  return { outcome: 'failed', detail: isKnown ? error.message : 'internal error' };
}
