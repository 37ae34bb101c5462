import type { components } from './api.gen.ts';
import type { KnownApp } from './catalogue.ts';
import type { BoxPorts } from './ports.ts';

type InstalledList = components['schemas']['InstalledList'];
type BundledList = components['schemas']['BundledList'];

const installedViews = new WeakMap<readonly KnownApp[], InstalledList>();

/**
 * Every directory of the installed apps, sorted by name; the same array while nothing changed.
 * box/listApps/1-5
 */
export function listApps(box: Pick<BoxPorts, 'apps'>): InstalledList {
  const apps = box.apps.all('installed');
  const before = installedViews.get(apps);
  if (before !== undefined) return before;
  // Frozen: whoever sends it may keep its text.
  const view = Object.freeze(apps.map((app) => app.entry)) as InstalledList;
  installedViews.set(apps, view);
  return view;
}

/**
 * The bundled apps that can be read and are not installed with a manifest that can be read, sorted by name.
 * box/listBundledApps/1-7, box/states/9
 */
export function listBundledApps(box: Pick<BoxPorts, 'apps'>): BundledList {
  const hidden = new Set(
    box.apps
      .all('installed')
      .filter((app) => app.manifest !== null)
      .map((app) => app.name),
  );
  return box.apps
    .all('bundled')
    .filter((app) => !hidden.has(app.name))
    .flatMap(({ entry }) => {
      if (!entry.ok) return [];
      const { ok: _, ...summary } = entry;
      return [summary];
    });
}
