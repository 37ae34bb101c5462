import { attempt } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import { type AppChange, type Core, type Stamp, StorageFailed } from '../core.ts';
import type { KnownApp, Place } from '../known-apps.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { appTitles, isAppName } from '../rules/manifest/app-name.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';

/** Always the same array, so that what was made of it before is found. */
const none: readonly KnownApp[] = [];

/** Returns an installed app, or refuses. A link is not an app. choice/box/37 */
export function refuseNotInstalled({ apps, folders }: Pick<Core, 'apps' | 'folders'>, name: string): KnownApp {
  const app = isAppName(name) ? apps.one('installed', name) : null;
  if (app === null) refuse('appNotInstalled', { app: name });
  if (folders.find('installed', name)?.link) refuse('appIsLink', { app: name, path: folders.path(name) });
  return app;
}

/** Runs a change of an installed app in its turn. Refuses another name at once, and in its turn once more. */
export async function changeInstalled<T>(
  box: Pick<Core, 'apps' | 'folders' | 'changes'>,
  change: AppChange,
  work: (app: KnownApp) => Promise<T>,
): Promise<T> {
  refuseNotInstalled(box, change.app);
  return box.changes.run(() => work(refuseNotInstalled(box, change.app)), change);
}

/** The manifest of an app; refuses with the reason and the file to repair if it cannot be read. */
export function readableManifest(
  place: Place,
  { name, path, manifest, entry }: KnownApp,
  refusal: 'brokenManifest' | 'unreadableManifest' = 'brokenManifest',
): Manifest {
  if (manifest !== null) return manifest;
  const reason = entry.ok ? '' : entry.error;
  refuse(refusal, { app: name, place, reason, file: `${path}/manifest.json` });
}

/** The app of the catalogue that an installed app came from; `null` without one, or if its store has it no more. */
export function catalogueApp({ apps }: Pick<Core, 'apps'>, { origin, manifest }: KnownApp): KnownApp | null {
  return apps.from(manifest?.store, origin);
}

export function isSame(a: Stamp | null, b: Stamp | null): boolean {
  if (a === null || b === null) return a === b;
  return a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** Longer than the resolution of the time stamps of most file systems. */
const tickMs = 50;
/** Some file systems store times in whole seconds, others only in even seconds. */
const coarseTickMs = 2000;

export function isSettled(stamp: Stamp | null, now: number): boolean {
  if (stamp === null) return true;
  const tick = stamp.ctimeMs % 1000 === 0 ? coarseTickMs : tickMs;
  // A stamp in the future means that the clock was set back; the file's age is unknown.
  return now - stamp.ctimeMs > tick;
}

/** The catalogue; empty if it cannot be read, so that the installed apps are listed anyway. */
export function bundledApps(box: Pick<Core, 'apps'>): readonly KnownApp[] {
  return attempt(
    () => box.apps.all('bundled'),
    StorageFailed,
    () => none,
  );
}

export function brokenCatalogueApps(box: Pick<Core, 'apps'>): { path: string; error: string }[] {
  return bundledApps(box).flatMap(({ path, entry }) =>
    entry.ok ? [] : [{ path: shownName(path), error: entry.error }],
  );
}

type Folders = Pick<Core, 'folders'>;
type Work<T> = (text: string, app: KnownApp, environment: ReadonlyMap<string, string>) => T;

/** Remembers what `work` finds in an app's `.env` until that file or the manifest changes: each list asks for it. */
export function fromEnv<T>(work: Work<T>): (box: Folders, app: KnownApp) => T {
  // The catalogue makes a new object when the manifest changes.
  const known = new WeakMap<KnownApp, { stamp: Stamp | null; value: T }>();
  return ({ folders }, app) => {
    const stamp = folders.stamp(app.path, '.env');
    const before = known.get(app);
    if (before !== undefined && isSame(before.stamp, stamp)) return before.value;
    const value = work(folders.viewEnv(app.name), app, folders.environment(app.name));
    // A link keeps its stamp when its target changes.
    if ((stamp === null || stamp.isFile()) && isSettled(stamp, Date.now())) known.set(app, { stamp, value });
    else known.delete(app);
    return value;
  };
}

/** The ports that an app's manifest declares, as the owner has set them. */
export function declaredPorts(box: Folders, app: KnownApp): Manifest['ports'] {
  const { ports = [], settings = [] } = app.manifest ?? {};
  // Most apps have fixed ports, and need no look at their `.env`.
  return ports.length === 0 || settings.length === 0 ? ports : setPorts(box, app);
}

/** A port that is the default of a `number` setting follows the value of that setting. */
const setPorts = fromEnv((text, { manifest }, environment) => {
  const { ports = [], settings = [] } = manifest ?? {};
  const values = readDotenv(text, environment);
  return ports.map((declared) => {
    const port = typeof declared === 'object' ? declared.port : declared;
    const setting = settings.find((one) => one.type === 'number' && one.default === String(port));
    const value = setting === undefined ? '' : (values.get(setting.name) ?? '');
    if (!/^\d{1,5}$/.test(value)) return declared;
    return typeof declared === 'object' ? { ...declared, port: Number(value) } : Number(value);
  });
});

/** What people call each installed app, and each that can be installed. */
export function titlesOf(box: Pick<Core, 'apps'>): ReadonlyMap<string, string> {
  const all = [...bundledApps(box), ...box.apps.all('installed')];
  return appTitles(all.map(({ name, manifest }) => ({ name, title: manifest?.display_name || name })));
}
