import type { components } from '../api/api.gen.ts';
import { refuse } from '../api/refusals.ts';
import { changeInstalled, readableManifest, refuseNotInstalled } from '../app-files/catalogue.ts';
import {
  envToChange,
  ignoredKeyWarnings,
  refuseLargeEnv,
  settingValues,
  undoableEnv,
  viewExample,
} from '../app-files/env-file.ts';
import { withFreePorts } from '../app-files/free-ports.ts';
import { plannedWithEnv } from '../app-files/planned-project.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Action } from '../engine/rules/actions.ts';
import { resultFor } from '../engine/rules/outcomes.ts';
import { forgetStop } from '../engine/stop-and-start.ts';
import { addressOf } from '../https/named-apps.ts';
import { withOwnAddress } from '../https/rules/own-address.ts';
import type { Outcome } from '../report.ts';
import { changedKeys, mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { settingsView } from '../rules/dotenv/settings-view.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import type { AppsBox } from './ports.ts';
import { replaceEnv } from './replaced-files.ts';

type SettingsView = components['schemas']['SettingsView'];

/** The settings of an app, with free ports before an install. box/getAppSettings/1-5, box/settings-view/1-6 */
export async function getAppSettings(
  box: Pick<AppsBox, 'apps' | 'folders' | 'https' | 'records' | 'sockets'>,
  name: string,
): Promise<SettingsView> {
  if (!isAppName(name)) refuse('appNotFound', { app: name });
  const installed = box.folders.find('installed', name) === null ? null : refuseNotInstalled(box, name);
  const app = installed ?? box.apps.one('bundled', name);
  if (app === null) refuse('appNotFound', { app: name });
  const place = installed === null ? 'bundled' : 'installed';
  const manifest = readableManifest(place, app, 'unreadableManifest');
  const text = installed ? box.folders.viewEnv(name) : viewExample(box, app.path);
  const environment = box.folders.environment(name);
  const env = new Map([...readDotenv(text ?? '', environment), ...environment]);
  const view = settingsView(manifest, env, installed !== null);
  const offered = installed === null ? await withFreePorts(box, app, view) : view;
  const [home = null] = box.https.homeAddresses();
  return withOwnAddress(offered, manifest, { named: addressOf(box, name), home });
}

type SettingsRequest = { name: string; settings: Readonly<Record<string, unknown>> };

/**
 * Merges settings into an installed app's `.env`, then reconciles all apps. Writes nothing if the values are refused.
 * An existing placeholder is no reason to refuse an update; the reconcile reports it.
 * box/updateAppSettings/1-11, box/post-rules/1, box/post-rules/3, box/post-rules/10, box/states/6, choice/box/96
 */
export async function updateAppSettings(box: AppsBox, request: SettingsRequest): Promise<Action[]> {
  mergedEnv(box, request);
  const kind = Object.keys(request.settings).length === 0 ? 'start' : 'settings';
  const change = async () => {
    const { name } = request;
    const env = mergedEnv(box, request);
    const { isWritten, actions } = await withEnv(box, name, env, kind === 'start');
    const detail = '.env written: the submitted settings merged in';
    const written: Action[] = isWritten ? [{ kind: 'write_env', target: name, detail }] : [];
    return [...written, ...ignoredKeyWarnings(name, env.after), ...actions];
  };
  return box.changes.run(change, { app: request.name, kind });
}

type ChangedEnv = { before: string | null; after: string };

/** Writes the `.env` and reconciles all apps, unless a port of the app is refused. `isStart`: also if it was stopped. */
async function withEnv(box: AppsBox, name: string, { before, after }: ChangedEnv, isStart: boolean) {
  const picture = await box.observer.look();
  const planned = await plannedWithEnv(box, { name, before, after }, picture);
  const isWritten = after !== (before ?? '') && (await replaceEnv(box, name, after));
  if (isStart) await forgetStop(box, name);
  return { isWritten, actions: await reconcile(box, name, picture, { planned }) };
}

/** Exchanges the `.env` and the previous one, and reconciles. Refused like a settings update. choice/box/289 */
export function undoAppSettings(box: AppsBox, name: string): Promise<Outcome> {
  return changeInstalled(box, { app: name, kind: 'settings' }, async (app) => {
    const env = undoableEnv(box, name, readableManifest('installed', app));
    if (env === null) return { ok: false, text: `there is nothing to undo: no other .env of ${name} is kept` };
    const { actions } = await withEnv(box, name, env, false);
    const what = changedKeys(env.before ?? '', env.after) || 'no value changed';
    return resultFor(name, `${name} has its previous settings again (${what})`, actions);
  });
}

function mergedEnv(box: AppsBox, { name, settings }: SettingsRequest): ChangedEnv {
  const app = refuseNotInstalled(box, name);
  const manifest = readableManifest('installed', app);
  const values = settingValues(settings, manifest);
  const placeholders = placeholderKeys(values, manifest.settings);
  if (placeholders.length > 0) refuse('placeholderSubmitted', { keys: placeholders.join(', ') });
  const before = envToChange(box, name);
  const after = mergeDotenv(before ?? '', values, box.folders.environment(name));
  refuseLargeEnv(after);
  return { before, after };
}
