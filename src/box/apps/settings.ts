import type { components } from '../api/api.gen.ts';
import { refuse } from '../api/refusals.ts';
import { readableManifest, refuseNotInstalled } from '../app-files/catalogue.ts';
import { envToChange, ignoredKeyWarnings, refuseLargeEnv, settingValues, viewExample } from '../app-files/env-file.ts';
import { withFreePorts } from '../app-files/free-ports.ts';
import { plannedWithEnv } from '../app-files/planned-project.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Action } from '../engine/rules/actions.ts';
import { forgetStop } from '../engine/stop-and-start.ts';
import { addressOf } from '../https/named-apps.ts';
import { withOwnAddress } from '../https/rules/own-address.ts';
import { mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { settingsView } from '../rules/dotenv/settings-view.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import type { AppsBox } from './ports.ts';
import { replaceEnv } from './replaced-files.ts';

type SettingsView = components['schemas']['SettingsView'];

/**
 * The settings of an installed app, else of the bundled one of that name, with free ports for those in use, and with the
 * app's own address.
 * box/getAppSettings/1-5, box/settings-view/1-6
 */
export async function getAppSettings(
  box: Pick<AppsBox, 'apps' | 'folders' | 'https' | 'records' | 'sockets'>,
  name: string,
): Promise<SettingsView> {
  // Only a valid name may become part of a path.
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

export type SettingsRequest = { name: string; settings: Readonly<Record<string, unknown>> };

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
    const { before, after } = mergedEnv(box, request);
    const picture = await box.observer.look();
    const planned = await plannedWithEnv(box, { name, before, after }, picture);
    const written = after !== (before ?? '') && (await replaceEnv(box, name, after));
    const detail = '.env written: the submitted settings merged in';
    const action: Action = { kind: 'write_env', target: name, detail };
    const warnings = ignoredKeyWarnings(name, after);
    if (kind === 'start') await forgetStop(box, name);
    return [...(written ? [action] : []), ...warnings, ...(await reconcile(box, name, picture, { planned }))];
  };
  return box.changes.run(change, { app: request.name, kind });
}

function mergedEnv(box: AppsBox, { name, settings }: SettingsRequest): { before: string | null; after: string } {
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
