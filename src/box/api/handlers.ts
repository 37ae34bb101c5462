import type { Handlers } from '../../http/operation.ts';
import { brokenCatalogueApps } from '../app-files/catalogue.ts';
import { installApp } from '../apps/install.ts';
import { listApps, listBundledApps } from '../apps/list-apps.ts';
import { removeApp } from '../apps/remove.ts';
import { getAppSettings, updateAppSettings } from '../apps/settings.ts';
import { updateApp } from '../apps/update-app.ts';
import { hasError } from '../engine/rules/actions.ts';
import { applySelfUpdate, checkSelfUpdate } from '../self-update.ts';
import type { operations } from './api.gen.ts';
import type { ApiBox } from './api-box.ts';
import { pageReply } from './edge.ts';
import { withCatalogueNote, withPageNote } from './rules/page-note.ts';

export function makeHandlers(box: ApiBox): Handlers<operations> {
  return {
    showPage: async () => pageReply(pageOf(box)),
    showAppsPage: async () => pageReply(pageOf(box)),
    showAppsFolderPage: async () => pageReply(pageOf(box)),
    listApps: async () => {
      await box.states.firstPicture();
      return { status: 200 as const, body: listApps(box) };
    },
    listBundledApps: async () => ({ status: 200 as const, body: listBundledApps(box) }),
    getAppSettings: async ({ name }) => ({ status: 200 as const, body: await getAppSettings(box, name) }),
    updateAppSettings: async ({ name, settings }) => {
      const actions = await updateAppSettings(box, { name, settings });
      return { status: reconciled(actions), body: { updated: name, actions } };
    },
    updateApp: async ({ name, without_backup: isWithout = false }: { name: string; without_backup?: boolean }) => {
      const given = isWithout ? { ...box, backup: { ...box.backup, beforeUpdate: false } } : box;
      const { services, upgrade, starting, awayMs, stoppedAt } = await updateApp(given, name);
      return {
        status: 200 as const,
        body: {
          app: name,
          updated: services.length > 0,
          services,
          ...upgrade,
          ...(starting.length > 0 ? { starting } : {}),
          ...(stoppedAt === undefined ? {} : { stopped_at: new Date(stoppedAt).toISOString() }),
          ...(awayMs === undefined ? {} : { away_seconds: Math.round(awayMs / 100) / 10 }),
        },
      };
    },
    checkSelfUpdate: async () => ({ status: 200 as const, body: await checkSelfUpdate(box.selfUpdate) }),
    applySelfUpdate: async () => ({ status: 202 as const, body: await applySelfUpdate(box.selfUpdate) }),
    getSelfUpdateStatus: async () => ({ status: 200 as const, body: await box.selfUpdate.updateFiles.readState() }),
    installApp: async ({ name, settings }) => {
      const { path, actions } = await installApp(box, { name, settings: settings ?? {} });
      return { status: reconciled(actions), body: { installed: path, actions } };
    },
    removeApp: async ({ name }) => {
      const warning = await removeApp(box, name);
      return { status: 200 as const, body: { removed: name, compose_warning: warning } };
    },
  };
}

/** box/post-rules/4 */
function reconciled(actions: Parameters<typeof hasError>[0]): 200 | 207 {
  return hasError(actions) ? 207 : 200;
}

function pageOf(box: ApiBox) {
  const { html, headers } = box.page();
  const noted = box.subjects.reduce((text, { pageNote }) => withPageNote(text, pageNote?.() ?? null), html);
  return { html: withCatalogueNote(noted, brokenCatalogueApps(box)), headers };
}
