import { type Check, inReusedEnvironments } from '../../kernel/check.ts';
import { checks as icon } from './apps/icon.ts';
import { checks as installApp } from './apps/installApp.ts';
import { checks as installAppCopies } from './apps/installApp-copies.ts';
import { checks as installAppRefusals } from './apps/installApp-refusals.ts';
import { checks as listApps } from './apps/listApps.ts';
import { checks as listBundledApps } from './apps/listBundledApps.ts';
import { checks as names } from './apps/names.ts';
import { checks as removeApp } from './apps/removeApp.ts';
import type { BoxContext } from './context.ts';
import { checks as body } from './http/body.ts';
import { checks as exactRequests } from './http/exact-requests.ts';
import { checks as http } from './http/http.ts';
import { checks as showPage } from './http/showPage.ts';
import { checks as pageActions } from './page/actions.ts';
import { readingChecks as pageFormFields, changingChecks as pageForms } from './page/forms.ts';
import { readingChecks as pageIcons, changingChecks as pageIconsHarmful } from './page/icons.ts';
import { checks as pageLists } from './page/lists.ts';
import { checks as pageSelfUpdate } from './page/self-update.ts';
import { checks as changes } from './process/changes.ts';
import { checks as process } from './process/process.ts';
import { checks as model } from './properties/model.ts';
import { checks as properties } from './properties/properties.ts';
import { checks as badTool } from './reconcile/bad-tool.ts';
import { checks as compose } from './reconcile/compose.ts';
import { checks as reconcile } from './reconcile/reconcile.ts';
import { checks as responses } from './responses.ts';
import { checks as safetyChanges } from './safety/changes.ts';
import { checks as safetyContainers } from './safety/containers.ts';
import { checks as safetyDisconnects } from './safety/disconnects.ts';
import { checks as safetyFiles } from './safety/files.ts';
import { checks as safetyFullDisk } from './safety/full-disk.ts';
import { checks as safetyKills } from './safety/kills.ts';
import { checks as safetyOthers } from './safety/others.ts';
import { checks as safetyRequests } from './safety/requests.ts';
import { checks as applySelfUpdate } from './self-update/applySelfUpdate.ts';
import { checks as checkSelfUpdate } from './self-update/checkSelfUpdate.ts';
import { checks as getSelfUpdateStatus } from './self-update/getSelfUpdateStatus.ts';
import { checks as dotenv } from './settings/dotenv.ts';
import { checks as getAppSettings } from './settings/getAppSettings.ts';
import { checks as placeholders } from './settings/placeholders.ts';
import { checks as updateAppSettings } from './settings/updateAppSettings.ts';
import { checks as updateAppSettingsValues } from './settings/updateAppSettings-values.ts';
import { checks as updateApp } from './updates/updateApp.ts';
import { checks as updateAppFailures } from './updates/updateApp-failures.ts';

/** Checks of the page wait for their turn in the browser. */
function inBrowser(checks: readonly Check<BoxContext>[]): Check<BoxContext>[] {
  return checks.map((one) => ({ ...one, options: { ...one.options, timeoutMs: 120_000 } }));
}

/** All checks of the box: those of endpoints in the document's order, then the others. */
export const boxChecks: Check<BoxContext>[] = [
  ...showPage,
  ...inBrowser([
    ...pageLists,
    ...pageFormFields,
    ...inReusedEnvironments(pageForms),
    ...pageActions,
    ...pageIcons,
    ...pageIconsHarmful,
    ...pageSelfUpdate,
  ]),
  ...inReusedEnvironments(listApps),
  ...inReusedEnvironments(listBundledApps),
  ...inReusedEnvironments(getAppSettings),
  ...inReusedEnvironments(getSelfUpdateStatus),
  ...inReusedEnvironments(updateAppSettings),
  ...inReusedEnvironments(updateAppSettingsValues),
  ...inReusedEnvironments(updateApp),
  ...inReusedEnvironments(updateAppFailures),
  ...inReusedEnvironments(checkSelfUpdate),
  ...applySelfUpdate,
  ...inReusedEnvironments(installApp),
  ...inReusedEnvironments(installAppCopies),
  ...inReusedEnvironments(installAppRefusals),
  ...inReusedEnvironments(removeApp),
  ...responses,
  ...icon,
  ...http,
  ...inReusedEnvironments(body),
  ...exactRequests,
  ...names,
  ...inReusedEnvironments(placeholders),
  ...inReusedEnvironments(dotenv),
  ...inReusedEnvironments(reconcile),
  ...inReusedEnvironments(compose),
  ...badTool,
  ...inReusedEnvironments(changes),
  ...inReusedEnvironments(safetyRequests),
  ...safetyFiles,
  ...safetyFullDisk,
  ...inReusedEnvironments(safetyOthers),
  ...inReusedEnvironments(safetyContainers),
  ...inReusedEnvironments(safetyChanges),
  ...inReusedEnvironments(safetyDisconnects),
  ...inReusedEnvironments(safetyKills),
  ...inReusedEnvironments(properties),
  ...inReusedEnvironments(model),
  ...process,
];
