import { type Check, inUsedWorlds } from '../check.ts';
import { checks as appState } from './app-state.ts';
import { checks as applySelfUpdate } from './applySelfUpdate.ts';
import { checks as applySelfUpdateInstalled } from './applySelfUpdate-installed.ts';
import { checks as applySelfUpdateRefused } from './applySelfUpdate-refused.ts';
import { checks as badTool } from './bad-tool.ts';
import { checks as body } from './body.ts';
import { checks as catalogue } from './catalogue.ts';
import { checks as changes } from './changes.ts';
import { checks as checkSelfUpdate } from './checkSelfUpdate.ts';
import { checks as compose } from './compose.ts';
import { checks as dotenv } from './dotenv.ts';
import { checks as dotenvForms } from './dotenv-forms.ts';
import { checks as dotenvLimits } from './dotenv-limits.ts';
import { checks as everyOperation } from './every-operation.ts';
import { checks as getAppSettings } from './getAppSettings.ts';
import { checks as getSelfUpdateStatus } from './getSelfUpdateStatus.ts';
import { checks as http } from './http.ts';
import { checks as httpConnections } from './http-connections.ts';
import { checks as icon } from './icon.ts';
import { checks as installApp } from './installApp.ts';
import { checks as installAppCopies } from './installApp-copies.ts';
import { checks as installAppRefusals } from './installApp-refusals.ts';
import { checks as listApps } from './listApps.ts';
import { checks as listBundledApps } from './listBundledApps.ts';
import { checks as manifests } from './manifests.ts';
import { checks as model } from './model.ts';
import { checks as names } from './names.ts';
import { checks as origins } from './origins.ts';
import { checks as placeholders } from './placeholders.ts';
import { checks as process } from './process.ts';
import { checks as properties } from './properties.ts';
import { checks as publishedPorts } from './published-ports.ts';
import { checks as reconcile } from './reconcile.ts';
import { checks as reconcileActions } from './reconcile-actions.ts';
import { checks as reconcileOthers } from './reconcile-others.ts';
import { checks as reinstall } from './reinstall.ts';
import { checks as removeApp } from './removeApp.ts';
import { checks as sharedProjects } from './shared-projects.ts';
import { checks as showPage } from './showPage.ts';
import { checks as trash } from './trash.ts';
import { checks as updateApp } from './updateApp.ts';
import { checks as updateAppContainers } from './updateApp-containers.ts';
import { checks as updateAppFailures } from './updateApp-failures.ts';
import { checks as updateAppVersions } from './updateApp-versions.ts';
import { checks as updateAppSettings } from './updateAppSettings.ts';
import { checks as updateAppSettingsValues } from './updateAppSettings-values.ts';
import { checks as verifiedChanges } from './verified-changes.ts';

/** Every check of the box: the document's endpoints in their order, and what belongs to no single one. */
export const boxChecks: Check[] = [
  ...showPage,
  ...listApps,
  ...inUsedWorlds(appState),
  ...listBundledApps,
  ...inUsedWorlds(catalogue),
  ...inUsedWorlds(getAppSettings),
  ...getSelfUpdateStatus,
  ...inUsedWorlds(updateAppSettings),
  ...inUsedWorlds(updateAppSettingsValues),
  ...inUsedWorlds(updateApp),
  ...inUsedWorlds(updateAppContainers),
  ...inUsedWorlds(updateAppFailures),
  ...inUsedWorlds(updateAppVersions),
  ...checkSelfUpdate,
  ...applySelfUpdate,
  ...applySelfUpdateRefused,
  ...applySelfUpdateInstalled,
  ...inUsedWorlds(installApp),
  ...inUsedWorlds(installAppCopies),
  ...inUsedWorlds(installAppRefusals),
  ...inUsedWorlds(removeApp),
  ...icon,
  ...http,
  ...httpConnections,
  ...everyOperation,
  ...body,
  ...origins,
  ...names,
  ...manifests,
  ...inUsedWorlds(placeholders),
  ...inUsedWorlds(reinstall),
  ...inUsedWorlds(dotenv),
  ...dotenvLimits,
  ...inUsedWorlds(dotenvForms),
  ...inUsedWorlds(verifiedChanges),
  ...inUsedWorlds(reconcile),
  ...inUsedWorlds(reconcileActions),
  ...inUsedWorlds(reconcileOthers),
  ...inUsedWorlds(compose),
  ...inUsedWorlds(publishedPorts),
  ...badTool,
  ...trash,
  ...sharedProjects,
  ...changes,
  ...inUsedWorlds(properties),
  ...model,
  ...process,
];
