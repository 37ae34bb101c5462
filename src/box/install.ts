import type { KnownApp } from './catalogue.ts';
import type { BoxPorts } from './ports.ts';
import { reconcile } from './reconcile.ts';
import { refuse } from './refusals.ts';
import type { Action } from './rules/actions.ts';
import { isAppName } from './rules/app-name.ts';
import { mergeDotenv, readDotenv } from './rules/dotenv.ts';
import type { Manifest } from './rules/manifest.ts';
import { placeholderKeys } from './rules/placeholder.ts';
import { coerceSettings } from './rules/setting-values.ts';

export type InstallRequest = { name: string; settings: Readonly<Record<string, unknown>> };
export type Installed = { path: string; actions: Action[] };

type Source = { manifest: Manifest; from: 'bundled' | 'installed'; isInstalled: boolean };

const largestExampleBytes = 1024 * 1024;

/**
 * Installs an app, or installs it again in place, and brings all apps in line. Settings are in the `.env` before it
 * is looked through for placeholders; a refusal for those leaves the app where it is, so that its `.env` can be
 * edited and the install repeated. Any other refusal comes before anything is written.
 * box/service/7-9, box/post-rules/1-2, box/states/2-5
 */
export async function installApp(box: BoxPorts, request: InstallRequest): Promise<Installed> {
  // Told at once what is wrong, and not only after the changes that wait before this one.
  settingValues(request, findSource(box, request.name).manifest);
  return box.changes.run(() => install(box, request));
}

async function install(box: BoxPorts, request: InstallRequest): Promise<Installed> {
  const { name } = request;
  const source = findSource(box, name);
  const values = settingValues(request, source.manifest);
  const done = source.isInstalled
    ? await installAgain(box, name, source, values)
    : await installFirst(box, name, values);
  refusePlaceholders(box, name);
  return { path: box.folders.path(name), actions: [...done, ...(await reconcile(box, name))] };
}

/** The bundled app of exactly that name, else the installed one of exactly that name, to be repaired in place. */
function findSource(box: BoxPorts, name: string): Source {
  if (!isAppName(name)) refuse('unknownApp', { app: name });
  const installed = box.apps.one('installed', name);
  if (installed?.entry.ok === false && box.folders.find('installed', name) === 'link') {
    refuse('brokenManifest', { app: name, reason: installed.entry.error });
  }
  const bundled = box.apps.one('bundled', name);
  const app = bundled ?? installed;
  if (app === null) refuse('unknownApp', { app: name });
  const from = bundled === null ? 'installed' : 'bundled';
  return { manifest: readableManifest(app), from, isInstalled: installed !== null };
}

export function readableManifest({ name, manifest, entry }: KnownApp): Manifest {
  if (manifest === null) refuse('brokenManifest', { app: name, reason: entry.ok ? '' : entry.error });
  return manifest;
}

export function settingValues(
  { settings }: Pick<InstallRequest, 'settings'>,
  manifest: Manifest,
): Map<string, string> {
  const coerced = coerceSettings(settings, manifest);
  if (!coerced.ok) refuse('invalidValues', { reason: coerced.problem });
  return coerced.values;
}

async function installFirst(
  box: BoxPorts,
  name: string,
  values: ReadonlyMap<string, string>,
): Promise<Action[]> {
  const example = readExample(box, 'bundled', name);
  const env = example === null && values.size === 0 ? null : mergeDotenv(example ?? '', values);
  const { leftOut } = await box.installFiles.place(name, env);
  return [
    { kind: 'copy', target: name, detail: 'copied from the bundled apps' },
    ...(env === null ? [] : [envAction(name, example === null ? 'made' : 'made from .env.example')]),
    ...leftOut.map((path) => warning(name, `${path} is no regular file and was left out`)),
  ];
}

async function installAgain(
  box: BoxPorts,
  name: string,
  { from }: Source,
  values: ReadonlyMap<string, string>,
): Promise<Action[]> {
  const before = box.folders.readEnv(name);
  const example = readExample(box, from, name);
  const env = envAgain(before, example, values);
  const envActions = env === null ? [] : [envAction(name, envCause(before, values))];
  if (from === 'installed') {
    if (env !== null) await box.folders.writeEnv(name, env);
    return envActions;
  }
  const plan = box.installFiles.planRefresh(name);
  await box.installFiles.refresh(name, plan, env);
  const kept = plan.steps.filter(({ keepAs }) => keepAs !== null);
  return [
    ...(plan.steps.length > 0 ? [refreshAction(name, plan.steps.length)] : []),
    ...kept.map(({ path, keepAs }) => keepAction(name, `${path} was edited here and is kept as ${keepAs}`)),
    ...plan.blocked.map((path) => warning(name, `${path} is no regular file here and was left as it is`)),
    ...envActions,
  ];
}

/** The `.env` after an install in place: as it was, with what the example adds and what was submitted. */
function envAgain(
  before: string | null,
  example: string | null,
  values: ReadonlyMap<string, string>,
): string | null {
  if (before === null && example === null && values.size === 0) return null;
  const base = before ?? example ?? '';
  const present = readDotenv(base);
  const added = [...readDotenv(example ?? '')].filter(([key]) => !present.has(key));
  const after = mergeDotenv(base, new Map([...added, ...values]));
  return after === before ? null : after;
}

function envCause(before: string | null, values: ReadonlyMap<string, string>): string {
  if (before === null) return 'made from .env.example';
  return values.size > 0 ? 'the submitted settings merged in' : 'new keys of .env.example added';
}

function refusePlaceholders(box: BoxPorts, name: string): void {
  const keys = placeholderKeys(readDotenv(box.folders.readEnv(name) ?? ''));
  if (keys.length === 0) return;
  refuse('placeholderLeft', { file: `${box.folders.path(name)}/.env`, keys: keys.join(', ') });
}

export function readExample(
  box: Pick<BoxPorts, 'folders'>,
  place: 'bundled' | 'installed',
  name: string,
): string | null {
  const bytes = box.folders.read(place, name, '.env.example', largestExampleBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

function envAction(target: string, detail: string): Action {
  return { kind: 'write_env', target, detail: `.env written: ${detail}` };
}

function refreshAction(target: string, count: number): Action {
  return {
    kind: 'refresh',
    target,
    detail: `${count} bundled file${count === 1 ? '' : 's'} put in place again`,
  };
}

function keepAction(target: string, detail: string): Action {
  return { kind: 'keep', target, detail };
}

function warning(target: string, detail: string): Action {
  return { kind: 'warn', target, detail };
}
