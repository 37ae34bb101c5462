import type { ChangeEnd } from '../../lib/journal.ts';
import type { Action } from '../engine/rules/actions.ts';
import { outcomeOfActions, outcomeOfUpdate } from '../engine/rules/change-outcome.ts';
import type { ImageChange } from '../rules/compose/image-changes.ts';
import type { OperationId } from './validators.gen.ts';

/** The operations that change something, with their verbs in the journal. choice/box/330 */
export const changeVerbs: Readonly<Partial<Record<OperationId, string>>> = {
  installApp: 'install',
  updateAppSettings: 'configure',
  updateApp: 'update',
  removeApp: 'remove',
  applySelfUpdate: 'self-update',
};

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
export function outcomeOfBody(body: ChangeBody): ChangeEnd {
  const { actions, installed, updated, services, starting, to_version, compose_warning, unit } = body;
  const app = installed?.split('/').at(-1) ?? (typeof updated === 'string' ? updated : null);
  if (actions) return outcomeOfActions(actions, app);
  if (services) return outcomeOfUpdate(services, starting, to_version);
  return { outcome: 'ok', detail: compose_warning ?? (unit === undefined ? '' : `${unit} started`) };
}
