import type { CommandResult } from '../../lib/command-result.ts';
import { refuse } from '../api/refusals.ts';
import { markReturn } from '../backup/fill-folders.ts';
import { reconcile } from '../engine/reconcile.ts';
import { resultFor } from '../engine/rules/outcomes.ts';
import { forgetStop } from '../engine/stop-and-start.ts';
import { remembered } from '../logged-change.ts';
import type { Outcome } from '../report.ts';
import type { AppsBox } from './ports.ts';
import { keptApp, notKept } from './removed-apps.ts';

/** Restores a removed app and starts it. choice/box/116 */
export async function restoreRemovedApp(box: AppsBox, id: string): Promise<Outcome> {
  const { name, result } = await box.changes.run(async () => {
    const { name, isReplaced } = keptApp(box, id);
    if (isReplaced) refuse('removedAppReplaced', { app: name });
    await box.trash.restore(id);
    await forgetStop(box, name);
    return { name, result: resultFor(name, `${name} is back`, await reconcile(box, name)) };
  });
  await markReturn(box, name);
  return result;
}

/** Restores the app of that name that was removed last, and starts it. */
export async function restoreApp(box: AppsBox, name: string): Promise<CommandResult> {
  const entry = box.trash.list().findLast((one) => one.name === name);
  if (entry === undefined) return notKept(name);
  return remembered(box, 'restore', name, () => restoreRemovedApp(box, entry.id));
}
