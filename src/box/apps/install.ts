import { refuse } from '../api/refusals.ts';
import { readableManifest } from '../app-files/catalogue.ts';
import {
  envToChange,
  ignoredKeyWarnings,
  ownEnvText,
  readExample,
  refuseLargeEnv,
  settingValues,
} from '../app-files/env-file.ts';
import { plannedProject, plannedWithEnv } from '../app-files/planned-project.ts';
import type { PlannedFiles, Project } from '../app-files/project.ts';
import { projectWarnings } from '../app-files/project-warnings.ts';
import { actionsToShow } from '../app-files/secrets.ts';
import type { Picture } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Action } from '../engine/rules/actions.ts';
import { forgetStop } from '../engine/stop-and-start.ts';
import type { Place } from '../known-apps.ts';
import { mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { madeSecrets } from '../rules/dotenv/made-secrets.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { counted } from '../rules/text/amounts.ts';
import type { AppsBox } from './ports.ts';
import { noteReplaced, replaceEnv } from './replaced-files.ts';

export type InstallRequest = { name: string; settings: Readonly<Record<string, unknown>> };
type Installed = { path: string; actions: Action[] };

/** `path` is the source directory of the install. */
type Source = { manifest: Manifest; from: Place; path: string; isInstalled: boolean };

/**
 * Installs an app, or installs it again in place, and reconciles all apps. The settings are written before the `.env`
 * is checked for placeholders. If one is left, the app stays in place, so that its `.env` can be edited and the install
 * repeated. Every other refusal comes before anything is written. box/service/14-17, box/service/20-21,
 * box/installApp/1-9, box/post-rules/1-2, box/post-rules/9, box/states/2-5, choice/box/60, choice/box/69
 */
export async function installApp(box: AppsBox, request: InstallRequest): Promise<Installed> {
  // Refuses at once, without waiting for earlier changes.
  const source = findSource(box, request.name);
  settingValues(request.settings, source.manifest);
  const kind = source.isInstalled ? 'reinstall' : 'install';
  const installed = await box.changes.run(() => install(box, request), { app: request.name, kind });
  const wasRemoved = kind === 'install' && box.trash.list().some(({ name }) => name === request.name);
  if (wasRemoved) await (await import('../backup/fill-folders.ts')).markReturn(box, request.name);
  return installed;
}

async function install(box: AppsBox, request: InstallRequest): Promise<Installed> {
  const { name } = request;
  const source = findSource(box, name);
  const values = settingValues(request.settings, source.manifest);
  const env = plannedEnv(box, name, source, values);
  const envText = env.after ?? env.before ?? '';
  const placeholders = placeholderKeys(readDotenv(envText), source.manifest.settings);
  // With a placeholder left there is no reconcile, so no look at the containers is needed.
  const picture = placeholders.length === 0 ? await box.observer.look() : null;
  const plan = (files: PlannedFiles) => plannedProject(box, { name, files, isNew: !source.isInstalled }, picture);
  const { planned, done } = source.isInstalled
    ? await installAgain(box, name, source, env, plan, picture)
    : await installFirst(box, name, source, env, plan);
  if (picture === null) {
    refuse('placeholderLeft', { file: `${box.folders.path(name)}/.env`, keys: placeholders.join(', ') });
  }
  await forgetStop(box, name);
  const actions = await reconcile(box, name, picture, { planned, builds: true });
  const warnings = planned === null ? [] : await projectWarnings(box, name, source.manifest, envText, planned);
  const own = actionsToShow(box, [...done, ...warnings]);
  return { path: box.folders.path(name), actions: [...own, ...actions] };
}

/** The bundled app of exactly that name and, for an installed app, of the same store; else the installed app itself. */
function findSource(box: AppsBox, name: string): Source {
  if (!isAppName(name)) refuse('unknownApp', { app: name });
  if (box.folders.find('installed', name)?.link) {
    refuse('linkInPlace', { app: name, path: box.folders.path(name) });
  }
  const installed = box.apps.one('installed', name);
  const bundled = installed ? box.apps.from(installed.manifest?.store, name) : box.apps.one('bundled', name);
  const app = bundled ?? installed;
  if (app === null) refuse('unknownApp', { app: name });
  const from = bundled === null ? 'installed' : 'bundled';
  const manifest = readableManifest(from, app);
  return { manifest, from, path: app.path, isInstalled: installed !== null };
}

/** The `.env` as it is and as it will be; `after` is `null` if nothing is to be written. */
type EnvPlan = { before: string | null; after: string | null; detail: string };

/** Merges new keys of the example, submitted values and made secrets into the `.env`; without one, into the example. */
export function plannedEnv(
  box: AppsBox,
  name: string,
  { path, isInstalled, manifest }: Pick<Source, 'path' | 'isInstalled' | 'manifest'>,
  values: ReadonlyMap<string, string>,
): EnvPlan {
  const before = isInstalled ? envToChange(box, name) : null;
  const example = readExample(box, path);
  const environment = box.folders.environment(name);
  const present = readDotenv(before ?? '', environment);
  const wanted = new Map([...readDotenv(example ?? '', environment), ...present, ...values]);
  const made = madeSecrets(manifest.settings, present, wanted, (bytes) => crypto.getRandomValues(bytes));
  const detail = envDetail(before, example, values) + (made.size > 0 ? `; made ${[...made.keys()].join(', ')}` : '');
  if (before === null && example === null && values.size + made.size === 0) return { before, after: null, detail };
  // A new key can refer to a secret that is made.
  const examples = [...readDotenv(example ?? '', new Map([...environment, ...made]))];
  const added = before === null ? [] : examples.filter(([key]) => !present.has(key));
  const after = mergeDotenv(before ?? example ?? '', new Map([...added, ...values, ...made]), environment);
  refuseLargeEnv(after);
  return { before, after: after === before ? null : after, detail };
}

function envDetail(before: string | null, example: string | null, values: ReadonlyMap<string, string>): string {
  if (before === null) return example === null ? 'made' : 'made from .env.example';
  return values.size > 0 ? 'the submitted settings merged in' : 'new keys of .env.example added';
}

type Plan = (files: PlannedFiles) => Promise<Project | null>;
type Written = { planned: Project | null; done: Action[] };

async function installFirst(box: AppsBox, name: string, { path }: Source, env: EnvPlan, plan: Plan): Promise<Written> {
  const placed = await box.installFiles.place(name, path, env.after, (directory) =>
    plan({ directory, envText: env.after, envFile: `${directory}/.env` }),
  );
  const copied: Action = { kind: 'copy', target: name, detail: 'copied from the bundled apps' };
  return {
    planned: placed.checked,
    done: [copied, ...envActions(name, env), ...leftOutWarnings(name, placed.leftOut)],
  };
}

async function installAgain(
  box: AppsBox,
  name: string,
  { from, path: source }: Source,
  env: EnvPlan,
  check: Plan,
  picture: Picture | null,
): Promise<Written> {
  const { before, after } = env;
  if (from === 'installed') {
    const planned = await plannedWithEnv(box, { name, before, after }, picture);
    if (after !== null) await replaceEnv(box, name, after);
    return { planned, done: envActions(name, env) };
  }
  const plan = await box.installFiles.planRefresh(name, source);
  const envText = after ?? before;
  const planned = await box.installFiles.preview(name, { source, plan, env: envText }, (directory) =>
    check({ directory, envText, envFile: `${directory}/.env` }),
  );
  const change = { source, plan, env: after };
  await noteReplaced(box, name, change);
  await box.installFiles.refresh(name, change);
  const count = plan.steps.length;
  const action = (kind: Action['kind'], detail: string): Action => ({ kind, target: name, detail });
  const kept = plan.steps.filter(({ keepAs }) => keepAs !== null);
  const done = [
    ...(count > 0 ? [action('refresh', `${counted(count, 'bundled file')} put in place again`)] : []),
    ...kept.map(({ path, keepAs }) => action('keep', `${path} was edited here and is kept as ${keepAs}`)),
    ...plan.blocked.map((path) => action('warn', `${path} is not a regular file here and was left as it is`)),
    ...leftOutWarnings(name, plan.leftOut),
    ...envActions(name, env),
  ];
  return { planned, done };
}

function envActions(target: string, { before, after, detail }: EnvPlan): Action[] {
  const written: Action[] = after === null ? [] : [{ kind: 'write_env', target, detail: `.env written: ${detail}` }];
  return [...written, ...ignoredKeyWarnings(target, after ?? before ?? '')];
}

function leftOutWarnings(target: string, leftOut: readonly string[]): Action[] {
  return leftOut.map((path) => ({
    kind: 'warn',
    target,
    detail: path === '.env' ? ownEnvText : `${path} was left out: it is not a regular file`,
  }));
}
