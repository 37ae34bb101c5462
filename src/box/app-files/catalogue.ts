import { attempt } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import { type AppFolders, type Core, type FolderEntry, faultText, type Stamp, StorageFailed } from '../core.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { Catalogue, KnownApp, Place } from '../known-apps.ts';
import { appNameFault, isAppName, originFile } from '../rules/manifest/app-name.ts';
import { inlineIcon, isPlainFileName, maxIconBytes } from '../rules/manifest/icon.ts';
import { appSummary, appTitles, type Manifest, maxManifestBytes, parseManifest } from '../rules/manifest/manifest.ts';
import { isNewerVersion } from '../rules/manifest/newer-version.ts';
import { maxRasterBytes, rasterType } from '../rules/manifest/raster-icon.ts';

type Cached = KnownApp & {
  link: boolean;
  manifestStamp: Stamp | null;
  icon: string | null;
  iconStamp: Stamp | null;
  settled: boolean;
};

/** Always the same array, so that what was made of it before is found. */
const none: readonly KnownApp[] = [];
const manifestFile = 'manifest.json';
/** Longer than the resolution of the time stamps of most file systems. */
const tickMs = 50;
/** Some file systems store times in whole seconds, others only in even seconds. */
const coarseTickMs = 2000;

export function makeCatalogue(
  folders: AppFolders,
  report: EngineBox['report'],
  now: () => number = Date.now,
): Catalogue {
  const shelves: Record<Place, { place: Place; apps: Map<string, Cached>; sorted: readonly Cached[] }> = {
    installed: { place: 'installed', apps: new Map(), sorted: [] },
    bundled: { place: 'bundled', apps: new Map(), sorted: [] },
  };
  const current = (place: Place, entry: FolderEntry) => {
    const before = shelves[place].apps.get(entry.name);
    try {
      if (before !== undefined && isCurrent(before, entry, folders)) return before;
      return readApp(folders, entry, now);
    } catch (error) {
      return { ...broken(entry, faultText({ report }, error)), settled: false };
    }
  };

  return {
    all(place) {
      const shelf = shelves[place];
      const apps = folders.list(place).map((entry) => current(place, entry));
      const same = apps.length === shelf.apps.size && apps.every((app) => shelf.apps.get(app.name) === app);
      if (same) return shelf.sorted;
      shelf.apps = new Map(apps.map((app) => [app.name, app]));
      shelf.sorted = apps.sort((a, b) => (a.name < b.name ? -1 : 1));
      return shelf.sorted;
    },
    one(place, name) {
      const entry = folders.find(place, name);
      return entry === null ? null : current(place, entry);
    },
  };
}

/** Returns an installed app, or refuses. A link is not an app. choice/box/37 */
export function refuseNotInstalled({ apps, folders }: Pick<Core, 'apps' | 'folders'>, name: string): KnownApp {
  // Only a valid name may become part of a path.
  const app = isAppName(name) ? apps.one('installed', name) : null;
  if (app === null) refuse('appNotInstalled', { app: name });
  if (folders.find('installed', name)?.link) refuse('appIsLink', { app: name, path: folders.path(name) });
  return app;
}

/** The manifest of an app; refuses with the reason and the file to repair if it cannot be read. */
export function readableManifest(
  place: Place,
  { name, path, manifest, entry }: KnownApp,
  refusal: 'brokenManifest' | 'unreadableManifest' = 'brokenManifest',
): Manifest {
  if (manifest !== null) return manifest;
  const reason = entry.ok ? '' : entry.error;
  refuse(refusal, { app: name, place, reason, file: `${path}/${manifestFile}` });
}

/** The app of the catalogue that an installed app came from; `null` without one. */
export function catalogueApp({ apps }: Pick<Core, 'apps'>, { origin }: KnownApp): KnownApp | null {
  return apps.one('bundled', origin);
}

/** The bundled version if it is newer than the installed one, else `null`. choice/box/302 */
export function newerVersion(installed: KnownApp, bundled: KnownApp | null | undefined): string | null {
  const version = bundled?.manifest?.version;
  if (version === undefined || installed.manifest === null) return null;
  return isNewerVersion(version, installed.manifest.version) ? version : null;
}

function isCurrent(before: Cached, entry: FolderEntry, folders: AppFolders): boolean {
  if (before.link !== entry.link || before.path !== entry.path) return false;
  if (entry.link) return true;
  if (!before.settled) return false;
  if (!isSame(before.manifestStamp, folders.stamp(entry.path, manifestFile))) return false;
  return before.icon === null || isSame(before.iconStamp, folders.stamp(entry.path, before.icon));
}

export function isSame(a: Stamp | null, b: Stamp | null): boolean {
  if (a === null || b === null) return a === b;
  return a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

function readApp(folders: AppFolders, entry: FolderEntry, now: () => number): Cached {
  const { name, link, path } = entry;
  if (link) return broken(entry, 'the directory is a link, and links are not followed');
  // The stamp is taken before the file is read: after a change in between, the stamp is outdated, not the content.
  const manifestStamp = folders.stamp(path, manifestFile);
  const bytes = manifestStamp?.isFile() ? folders.read(path, manifestFile, maxManifestBytes + 1) : null;
  const origin = originOf(folders, entry);
  const stamped = { manifestStamp, origin, settled: isSettled(manifestStamp, now()) };
  if (!isAppName(name)) return { ...broken(entry, appNameFault(name)), ...stamped };
  if (bytes === null) {
    const found = manifestStamp === null ? 'none' : 'something else';
    return { ...broken(entry, `${manifestFile}: expected a file; found ${found}`), ...stamped };
  }
  const parsed = parseManifest(bytes, name);
  if (!parsed.ok) return { ...broken(entry, parsed.error), ...stamped };

  const { manifest } = parsed;
  const icon = isPlainFileName(manifest.icon) ? manifest.icon : null;
  const iconStamp = icon === null ? null : folders.stamp(path, icon);
  const iconSvg = icon === null ? null : readIcon(folders, path, icon, iconStamp);
  const isRaster = icon !== null && iconSvg === null && readRaster(folders, path, icon) !== null;
  const rasterDigest = isRaster ? folders.digest(path, [icon]) : null;
  return {
    name,
    link,
    path,
    origin,
    manifest,
    entry: { ok: true, ...appSummary(manifest, iconSvg, rasterDigest) },
    icon,
    iconStamp,
    manifestStamp,
    settled: stamped.settled && isSettled(iconStamp, now()),
  };
}

function originOf(folders: AppFolders, { name, path }: FolderEntry): string {
  if (folders.stamp(path, originFile) === null) return name;
  const text = Buffer.from(folders.read(path, originFile, 256) ?? '')
    .toString('utf8')
    .trim();
  return isAppName(text) ? text : name;
}

function readIcon(folders: AppFolders, path: string, icon: string, stamp: Stamp | null): string | null {
  // box/icon/1, box/icon/2
  if (stamp === null || !stamp.isFile() || stamp.size > maxIconBytes) return null;
  const bytes = folders.read(path, icon, maxIconBytes + 1);
  return bytes === null ? null : inlineIcon(bytes);
}

/**
 * The icon of an app if it is a picture of points, with its content type: that of the installed app, else that of the app
 * that can be installed. `null` without one.
 */
export function rasterIcon(
  { apps, folders }: Pick<Core, 'apps' | 'folders'>,
  name: string,
): { type: string; bytes: Uint8Array } | null {
  // Only a valid name may become part of a path.
  if (!isAppName(name)) return null;
  for (const place of ['installed', 'bundled'] as const) {
    const app = apps.one(place, name);
    const icon = app?.manifest?.icon ?? '';
    const found = app !== null && isPlainFileName(icon) ? readRaster(folders, app.path, icon) : null;
    if (found !== null) return found;
  }
  return null;
}

function readRaster(folders: AppFolders, path: string, icon: string): { type: string; bytes: Uint8Array } | null {
  const bytes = folders.read(path, icon, maxRasterBytes + 1);
  const type = bytes === null ? null : rasterType(bytes);
  return bytes === null || type === null ? null : { type, bytes };
}

function broken({ name, link, path }: FolderEntry, error: string): Cached {
  const entry: KnownApp['entry'] = { name, ok: false, error: shownName(error) };
  const unread = { manifest: null, icon: null, iconStamp: null, manifestStamp: null, settled: true };
  return { name, link, path, origin: name, entry, ...unread };
}

/** Whether a change after this moment would change the stamp. */
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

/** Apps of the catalogue that are not in its list, because they are broken. */
export function brokenCatalogueApps(box: Pick<Core, 'apps'>): { path: string; error: string }[] {
  return bundledApps(box).flatMap(({ path, entry }) =>
    entry.ok ? [] : [{ path: shownName(path), error: entry.error }],
  );
}

type Folders = Pick<Core, 'folders'>;
type Work<T> = (text: string, app: KnownApp, environment: ReadonlyMap<string, string>) => T;
type Result<T> = { stamp: Stamp | null; value: T };

/**
 * Remembers what `work` finds in the readable part of an app's `.env` until that file or the manifest changes, so that a
 * large file costs nothing at each list.
 */
export function fromEnv<T>(work: Work<T>): (box: Folders, app: KnownApp) => T {
  // The catalogue makes a new object when the manifest changes.
  const known = new WeakMap<KnownApp, Result<T>>();
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

/** What people call each installed app, and each that can be installed. */
export function titlesOf(box: Pick<Core, 'apps'>): ReadonlyMap<string, string> {
  const all = [...bundledApps(box), ...box.apps.all('installed')];
  return appTitles(all.map(({ name, manifest }) => ({ name, title: manifest?.display_name || name })));
}
