import { shownName } from '../../lib/shown-text.ts';
import { type AppFolders, type Core, type FolderEntry, faultText, type Stamp } from '../core.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { Catalogue, KnownApp, Place } from '../known-apps.ts';
import { appNameFault, isAppName, originFile } from '../rules/manifest/app-name.ts';
import { inlineIcon, isPlainFileName, maxIconBytes } from '../rules/manifest/icon.ts';
import { appSummary, maxManifestBytes, parseManifest } from '../rules/manifest/manifest.ts';
import { maxRasterBytes, rasterType } from '../rules/manifest/raster-icon.ts';
import { isSame, isSettled } from './catalogue.ts';

type Cached = KnownApp & {
  link: boolean;
  manifestStamp: Stamp | null;
  icon: string | null;
  iconStamp: Stamp | null;
  settled: boolean;
};

const manifestFile = 'manifest.json';
export function makeCatalogue(
  folders: AppFolders,
  report: EngineBox['report'],
  now: () => number = Date.now,
): Catalogue {
  /** `apps`: by path, with those that an earlier directory hides, because the owner may have installed one of them. */
  const shelves: Record<Place, { apps: Map<string, Cached>; sorted: readonly Cached[] }> = {
    installed: { apps: new Map(), sorted: [] },
    bundled: { apps: new Map(), sorted: [] },
  };
  const current = (place: Place, entry: FolderEntry) => {
    const before = shelves[place].apps.get(entry.path);
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
      const before = [...shelf.apps.values()];
      if (apps.length === before.length && apps.every((app, index) => app === before[index])) return shelf.sorted;
      shelf.apps = new Map(apps.map((app) => [app.path, app]));
      shelf.sorted = firstOfEachName(apps).sort((a, b) => (a.name < b.name ? -1 : 1));
      return shelf.sorted;
    },
    one(place, name) {
      const entry = folders.find(place, name);
      return entry === null ? null : current(place, entry);
    },
    from(store, name) {
      for (const entry of folders.findAll('bundled', name)) {
        const app = current('bundled', entry);
        if (app.manifest?.store === store) return app;
      }
      return null;
    },
  };
}

function firstOfEachName(apps: readonly Cached[]): Cached[] {
  const first = new Map<string, Cached>();
  for (const app of apps) if (!first.has(app.name)) first.set(app.name, app);
  return [...first.values()];
}

function isCurrent(before: Cached, entry: FolderEntry, folders: AppFolders): boolean {
  if (before.link !== entry.link || before.path !== entry.path) return false;
  if (entry.link) return true;
  if (!before.settled) return false;
  if (!isSame(before.manifestStamp, folders.stamp(entry.path, manifestFile))) return false;
  return before.icon === null || isSame(before.iconStamp, folders.stamp(entry.path, before.icon));
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

/** The icon of an app, if it is no SVG file: that of the installed app, else that of the one that can be installed. */
export function rasterIcon(
  { apps, folders }: Pick<Core, 'apps' | 'folders'>,
  name: string,
): { type: string; bytes: Uint8Array } | null {
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
