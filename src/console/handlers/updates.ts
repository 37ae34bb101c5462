import { catalogueApp } from '../../box/app-files/catalogue.ts';
import { titlesOf } from '../../box/app-files/titles.ts';
import type { BoxPorts } from '../../box/ports.ts';
import { ContainersFailed } from '../../box/ports.ts';
import { lookForNewer } from '../../box/versions/look.ts';
import { broughtByUpdate } from '../../box/versions/rules/known-versions.ts';
import { setAppUpdates } from '../../box/versions/update-apps.ts';
import type { ConsoleHandlers } from '../service.ts';

export function updatesHandlers(
  box: BoxPorts,
): Pick<ConsoleHandlers, 'listNewVersions' | 'lookForNewVersions' | 'setAppUpdates'> {
  return {
    listNewVersions: async () => {
      const known = box.versions.known.load();
      const titles = titlesOf(box);
      const apps = Object.entries(known.apps).flatMap(([name, newer]) => {
        const app = box.apps.one('installed', name);
        if (app === null) return [];
        const notes = (catalogueApp(box, app) ?? app).manifest?.release_notes ?? null;
        return [
          {
            name,
            title: titles.get(name) ?? name,
            release_notes: notes,
            newer: broughtByUpdate(newer).map(({ failedAt = null, ...one }) => ({ ...one, failed_at: failedAt })),
          },
        ];
      });
      const body = {
        looked_at: known.lookedAt,
        apps,
        problems: [...known.problems],
        is_enabled: known.isEnabled,
        min_age_hours: known.minAgeHours,
      };
      return { status: 200 as const, body };
    },
    lookForNewVersions: async () => {
      try {
        const { apps } = await lookForNewer(box);
        const count = Object.keys(apps).length;
        const text = count === 0 ? 'No app has a newer version.' : `${count} app(s) have a newer version.`;
        return { status: 200 as const, body: { ok: true, text } };
      } catch (error) {
        if (!(error instanceof ContainersFailed)) throw error;
        return { status: 200 as const, body: { ok: false, text: error.message } };
      }
    },
    setAppUpdates: async ({ is_enabled: isEnabled, min_age_hours: minAgeHours }) => {
      await setAppUpdates(box, { isEnabled, minAgeHours });
      const text = isEnabled ? 'Apps are updated by themselves now.' : 'Apps are not updated by themselves any more.';
      return { status: 200 as const, body: { ok: true, text } };
    },
  };
}
