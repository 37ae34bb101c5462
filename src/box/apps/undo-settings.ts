import { readableManifest, refuseNotInstalled } from '../app-files/catalogue.ts';
import { envToChange } from '../app-files/env-file.ts';
import { plannedWithEnv } from '../app-files/planned-project.ts';
import { maskSecretsIn } from '../app-files/secrets.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Outcome } from '../report.ts';
import { changedKeys } from '../rules/dotenv/changed-keys.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import { maskedTexts, maskSecrets } from '../rules/text/mask-secrets.ts';
import type { AppsBox } from './ports.ts';
import { resultFor } from './removed-apps.ts';
import { replaceEnv } from './replaced-files.ts';

/** `null`: without that key. */
export type SettingChange = { key: string; present: string | null; previous: string | null };

const longestValue = 500;
const mostChanges = 200;

/**
 * What an undo of the settings would change, by key, secrets masked; empty if there is nothing to undo. Refused like the
 * undo itself.
 */
export function changesOfUndo(box: AppsBox, name: string): SettingChange[] {
  const found = envsOf(box, name);
  if (found === null) return [];
  const environment = box.folders.environment(name);
  const now = readDotenv(found.before ?? '', environment);
  const then = readDotenv(found.after, environment);
  const isSecret = secretKeys(readableManifest('installed', refuseNotInstalled(box, name)).settings);
  // A value of another key may contain a secret, such as the password in an address.
  const secrets = [...now, ...then].filter(([key]) => isSecret(key)).map(([, value]) => value);
  const masked = maskedTexts(secrets).own;
  const shown = (key: string, value: string | undefined) => {
    if (value === undefined) return null;
    return isSecret(key) ? '•••' : maskSecrets(maskSecretsIn(box, value, name), masked).slice(0, longestValue);
  };
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter((key) => now.get(key) !== then.get(key))
    .sort()
    .slice(0, mostChanges)
    .map((key) => ({ key, present: shown(key, now.get(key)), previous: shown(key, then.get(key)) }));
}

/**
 * Restores the `.env` that an app had before its latest change, and reconciles all apps. The replaced `.env` becomes
 * the previous one. Refused like a settings update.
 * choice/box/289
 */
export async function undoAppSettings(box: AppsBox, name: string): Promise<Outcome> {
  refuseNotInstalled(box, name);
  const undo = async () => {
    const found = envsOf(box, name);
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

/** The `.env` and the previous one; `null` if there is no other one. */
function envsOf(box: AppsBox, name: string): { before: string | null; after: string } | null {
  readableManifest('installed', refuseNotInstalled(box, name));
  const before = envToChange(box, name);
  const after = envToChange(box, name, '.env.bak');
  return after === null || after === before ? null : { before, after };
}
