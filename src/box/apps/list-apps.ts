import { attempt } from '../../lib/ignore.ts';
import type { components } from '../api/api.gen.ts';
import { bundledApps, catalogueApp } from '../app-files/catalogue.ts';
import { problemsOfBackups } from '../backup/backup-problems.ts';
import { StorageFailed } from '../core.ts';
import { openUrls } from '../https/named-apps.ts';
import type { Served } from '../https/ports.ts';
import type { AppOperation, KnownApp, ShownState } from '../known-apps.ts';
import { newerVersion } from '../rules/manifest/newer-version.ts';
import type { AppsBox } from './ports.ts';

type InstalledList = components['schemas']['InstalledList'];
type BundledList = components['schemas']['BundledList'];

type View = {
  bundled: readonly KnownApp[];
  states: ReadonlyMap<string, ShownState>;
  operations: ReadonlyMap<string, AppOperation>;
  urls: ReturnType<AppsBox['addresses']['urls']>;
  problems: ReadonlyMap<string, string>;
  served: Served | null;
  list: InstalledList;
};
const views = new WeakMap<readonly KnownApp[], View>();

/**
 * Every directory of the installed apps with the state of its containers and the change under way, sorted by name. The same array while nothing
 * changed.
 * box/listApps/1-5, choice/box/265, choice/box/302
 */
export function listApps(
  box: Pick<AppsBox, 'apps' | 'states' | 'operations' | 'addresses' | 'https' | 'backup' | 'now'>,
): InstalledList {
  const apps = box.apps.all('installed');
  const bundled = bundledApps(box);
  const states = box.states.of(apps);
  const operations = box.operations.all();
  const urls = box.addresses.urls();
  const problems = problemsOfBackups(box, apps);
  const served = box.https.served();
  const before = views.get(apps);
  const isSame = before?.bundled === bundled && before.states === states && before.operations === operations;
  if (isSame && before.urls === urls && before.problems === problems && before.served === served) return before.list;
  const names = openUrls(box);
  const entries = apps.map((app) => ({
    ...app.entry,
    available_version: newerVersion(app, offeredAgain(box, app)),
    ...states.get(app.name),
    ...operationOf(operations, app.name),
    ...publicUrlsOf(urls, app.path),
    ...openUrlsOf(names.get(app.name), states.get(app.name)),
    ...problemOf(problems, app.name),
  }));
  // Frozen, so that a caller may cache its JSON text.
  const list = Object.freeze(entries) as InstalledList;
  views.set(apps, { bundled, states, operations, urls, problems, served, list });
  return list;
}

/** The app of the catalogue that an installed app came from; `null` also if the catalogue cannot be read. */
function offeredAgain(box: Pick<AppsBox, 'apps'>, app: KnownApp): KnownApp | null {
  return attempt(
    () => catalogueApp(box, app),
    StorageFailed,
    () => null,
  );
}

function operationOf(operations: ReadonlyMap<string, AppOperation>, app: string): { operation?: AppOperation } {
  const operation = operations.get(app);
  return operation === undefined ? {} : { operation };
}

function publicUrlsOf(urls: ReturnType<AppsBox['addresses']['urls']>, directory: string): { public_urls?: string[] } {
  const own = urls.get(directory);
  return own === undefined ? {} : { public_urls: [...own] };
}

/** Absent while the app cannot be opened. */
function openUrlsOf(url: string | undefined, state: ShownState | undefined): { open_urls?: string[] } {
  return url === undefined || state?.open_ports === undefined || state.open_ports.length === 0
    ? {}
    : { open_urls: [url] };
}

function problemOf(problems: ReadonlyMap<string, string>, app: string): { backup_problem?: string } {
  const problem = problems.get(app);
  return problem === undefined ? {} : { backup_problem: problem };
}

type BundledView = Pick<View, 'operations'> & { installed: readonly KnownApp[]; list: BundledList };
const bundledViews = new WeakMap<readonly KnownApp[], BundledView>();

/**
 * The bundled apps that can be read, without those that are installed with a readable manifest, sorted by name. The same
 * array while nothing changed.
 * box/listBundledApps/1-7, box/states/9
 */
export function listBundledApps(box: Pick<AppsBox, 'apps' | 'operations'>): BundledList {
  const bundled = box.apps.all('bundled');
  const installed = box.apps.all('installed');
  const operations = box.operations.all();
  const before = bundledViews.get(bundled);
  if (before?.installed === installed && before.operations === operations) return before.list;
  const hidden = new Set(installed.filter((app) => app.manifest !== null).map((app) => app.name));
  const entries = bundled.flatMap(({ name, entry }) => {
    if (!entry.ok || hidden.has(name)) return [];
    const { ok: _, ...summary } = entry;
    return [{ ...summary, ...operationOf(operations, name) }];
  });
  // Frozen, so that a caller may cache its JSON text.
  const list = Object.freeze(entries) as BundledList;
  bundledViews.set(bundled, { installed, operations, list });
  return list;
}
