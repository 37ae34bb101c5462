import type { Core } from '../core.ts';
import { appTitles } from '../rules/manifest/app-titles.ts';
import { bundledApps } from './catalogue.ts';

/** What people call each installed app, and each that can be installed. */
export function titlesOf(box: Pick<Core, 'apps'>): ReadonlyMap<string, string> {
  const all = [...bundledApps(box), ...box.apps.all('installed')];
  return appTitles(all.map(({ name, manifest }) => ({ name, title: manifest?.display_name || name })));
}
