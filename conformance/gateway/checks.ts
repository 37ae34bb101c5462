import type { Check } from '../check.ts';
import { checks as authentication } from './authentication.ts';
import { checks as body } from './body.ts';
import { checks as deregisterBox } from './deregisterBox.ts';
import { checks as everyOperation } from './every-operation.ts';
import { checks as foreignFiles } from './foreign-files.ts';
import type { Gateway } from './gateway.ts';
import { checks as getHealth } from './getHealth.ts';
import { checks as heartbeatBox } from './heartbeatBox.ts';
import { checks as http } from './http.ts';
import { checks as httpPaths } from './http-paths.ts';
import { checks as limits } from './limits.ts';
import { checks as listRoutes } from './listRoutes.ts';
import { checks as model } from './model.ts';
import { checks as modes } from './modes.ts';
import { checks as process } from './process.ts';
import { checks as processSettings } from './process-settings.ts';
import { checks as properties } from './properties.ts';
import { checks as publishRoute } from './publishRoute.ts';
import { checks as publishRouteFields } from './publishRoute-fields.ts';
import { checks as registerBox } from './registerBox.ts';
import { checks as registerBoxRefusals } from './registerBox-refusals.ts';
import { checks as rotateBoxToken } from './rotateBoxToken.ts';
import { checks as routeFileForm } from './route-file-form.ts';
import { checks as routeFileRepair } from './route-file-repair.ts';
import { checks as routeFileUpkeep } from './route-file-upkeep.ts';
import { checks as routeFiles } from './route-files.ts';
import { checks as store } from './store.ts';
import { checks as storeFaults } from './store-faults.ts';
import { checks as tunnel } from './tunnel.ts';
import { checks as tunnelAnswers } from './tunnel-answers.ts';
import { checks as tunnelConfig } from './tunnel-config.ts';
import { checks as tunnelFailures } from './tunnel-failures.ts';
import { checks as tunnelRecovery } from './tunnel-recovery.ts';
import { checks as unpublishRoute } from './unpublishRoute.ts';

/** Every check of the gateway: the document's endpoints in their order, and what belongs to no single one. */
export const gatewayChecks: Check<Gateway>[] = [
  ...getHealth,
  ...registerBox,
  ...registerBoxRefusals,
  ...heartbeatBox,
  ...rotateBoxToken,
  ...deregisterBox,
  ...listRoutes,
  ...publishRoute,
  ...publishRouteFields,
  ...unpublishRoute,
  ...http,
  ...httpPaths,
  ...everyOperation,
  ...body,
  ...authentication,
  ...limits,
  ...tunnel,
  ...tunnelAnswers,
  ...tunnelConfig,
  ...tunnelFailures,
  ...tunnelRecovery,
  ...routeFiles,
  ...routeFileForm,
  ...routeFileUpkeep,
  ...routeFileRepair,
  ...foreignFiles,
  ...store,
  ...storeFaults,
  ...modes,
  ...model,
  ...properties,
  ...process,
  ...processSettings,
];
