import { readableManifest, refuseNotInstalled } from '../app-files/catalogue.ts';
import { undoableEnv } from '../app-files/env-file.ts';
import { plannedWithEnv } from '../app-files/planned-project.ts';
import { reconcile } from '../engine/reconcile.ts';
import { resultFor } from '../engine/rules/app-outcome.ts';
import type { Outcome } from '../report.ts';
import { changedKeys } from '../rules/dotenv/dotenv.ts';
import type { AppsBox } from './ports.ts';
import { replaceEnv } from './replaced-files.ts';

/**
 * Restores the `.env` that an app had before its latest change, and reconciles all apps. The replaced `.env` becomes
 * the previous one. Refused like a settings update.
 * choice/box/289
 */
export async function undoAppSettings(box: AppsBox, name: string): Promise<Outcome> {
  refuseNotInstalled(box, name);
  const undo = async () => {
    const manifest = readableManifest('installed', refuseNotInstalled(box, name));
    const found = undoableEnv(box, name, manifest);
    if (found === null) return { ok: false, text: `there is nothing to undo: no other .env of ${name} is kept` };
    const { before, after } = found;
    const picture = await box.observer.look();
    const planned = await plannedWithEnv(box, { name, before, after }, picture);
    await replaceEnv(box, name, after);
    const what = changedKeys(before ?? '', after) || 'no value changed';
    const actions = await reconcile(box, name, picture, { planned });
    return resultFor(name, `${name} has its previous settings again (${what})`, actions);
  };
  return box.changes.run(undo, { app: name, kind: 'settings' });
}
