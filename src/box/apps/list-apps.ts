import { attempt } from '../../lib/ignore.ts';
import type { components } from '../api/api.gen.ts';
import { bundledApps, catalogueApp } from '../app-files/catalogue.ts';
import { problemsOfBackups, seenOfBackups } from '../backup/backup-problems.ts';
import { StorageFailed } from '../core.ts';
import { openUrls } from '../https/named-apps.ts';
import type { KnownApp } from '../known-apps.ts';
import { newerVersion } from '../rules/manifest/newer-version.ts';
import type { AppsBox } from './ports.ts';

type InstalledList = components['schemas']['InstalledList'];
type BundledList = components['schemas']['BundledList'];

/** What a list was made of, in order. */
type View = { seen: readonly unknown[]; list: readonly object[] };
const views = new WeakMap<readonly KnownApp[], View>();

/** The list of these apps: the same array as before while `seen` has the same values. */
function listOf<List extends readonly object[]>(
  apps: readonly KnownApp[],
  seen: readonly unknown[],
  make: () => readonly object[],
): List {
  const before = views.get(apps);
  if (before?.seen.every((one, index) => one === seen[index])) return before.list as List;
  // Frozen, so that a caller may cache its JSON text.
  const list = Object.freeze(make()) as List;
  views.set(apps, { seen, list });
  return list;
}

/** The installed apps; the same array while nothing changed. box/listApps/1-5, choice/box/265, choice/box/302 */
export function listApps(
  box: Pick<AppsBox, 'apps' | 'states' | 'operations' | 'addresses' | 'https' | 'backup' | 'now'>,
): InstalledList {
  const apps = box.apps.all('installed');
  const states = box.states.of(apps);
  const operations = box.operations.all();
  const publicUrls = box.addresses.urls();
  const seen = [bundledApps(box), states, operations, publicUrls, ...seenOfBackups(box), box.https.served()];
  return listOf(apps, seen, () => {
    const problems = problemsOfBackups(box, apps);
    const names = openUrls(box);
    return apps.map((app) => {
      const state = states.get(app.name);
      const operation = operations.get(app.name);
      const urls = publicUrls.get(app.path);
      const named = state?.open_ports?.length ? names.get(app.name) : undefined;
      const problem = problems.get(app.name);
      return {
        ...app.entry,
        available_version: newerVersion(app, offeredAgain(box, app)),
        ...state,
        ...(operation && { operation }),
        ...(urls && { public_urls: [...urls] }),
        ...(named !== undefined && { open_urls: [named] }),
        ...(problem !== undefined && { backup_problem: problem }),
      };
    });
  });
}

/** The app of the catalogue that an installed app came from; `null` also if the catalogue cannot be read. */
function offeredAgain(box: Pick<AppsBox, 'apps'>, app: KnownApp): KnownApp | null {
  return attempt(
    () => catalogueApp(box, app),
    StorageFailed,
    () => null,
  );
}

/** The apps that can be installed. The same array while nothing changed. box/listBundledApps/1-7, box/states/9 */
export function listBundledApps(box: Pick<AppsBox, 'apps' | 'operations'>): BundledList {
  const bundled = box.apps.all('bundled');
  const installed = box.apps.all('installed');
  const operations = box.operations.all();
  return listOf(bundled, [installed, operations], () => {
    const hidden = new Set(installed.filter((app) => app.manifest !== null).map((app) => app.name));
    return bundled.flatMap(({ name, entry }) => {
      if (!entry.ok || hidden.has(name)) return [];
      const { ok: _, ...summary } = entry;
      const operation = operations.get(name);
      return [{ ...summary, ...(operation && { operation }) }];
    });
  });
}
