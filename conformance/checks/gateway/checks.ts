import type { Check } from '../../kernel/check.ts';
import { checks as authentication } from './boxes/authentication.ts';
import { checks as deregisterBox } from './boxes/deregisterBox.ts';
import { checks as heartbeatBox } from './boxes/heartbeatBox.ts';
import { checks as limits } from './boxes/limits.ts';
import { checks as registerBox } from './boxes/registerBox.ts';
import { checks as registerBoxRefusals } from './boxes/registerBox-refusals.ts';
import { checks as rotateBoxToken } from './boxes/rotateBoxToken.ts';
import { checks as severalAtOnce } from './boxes/several-at-once.ts';
import type { GatewayContext } from './context.ts';
import { checks as ambiguous } from './http/ambiguous.ts';
import { checks as body } from './http/body.ts';
import { checks as exactRequests } from './http/exact-requests.ts';
import { checks as getHealth } from './http/getHealth.ts';
import { checks as http } from './http/http.ts';
import { checks as httpPaths } from './http/http-paths.ts';
import { checks as process } from './process/process.ts';
import { checks as processSettings } from './process/process-settings.ts';
import { checks as model } from './properties/model.ts';
import { checks as properties } from './properties/properties.ts';
import { checks as responses } from './responses.ts';
import { checks as listRoutes } from './routes/listRoutes.ts';
import { checks as publishRoute } from './routes/publishRoute.ts';
import { checks as publishRouteFields } from './routes/publishRoute-fields.ts';
import { checks as routeFileRepair } from './routes/route-file-repair.ts';
import { checks as routeFileSafety } from './routes/route-file-safety.ts';
import { checks as routeFileUpkeep } from './routes/route-file-upkeep.ts';
import { checks as routeFiles } from './routes/route-files.ts';
import { checks as unfinishedFiles } from './routes/unfinished-files.ts';
import { checks as unpublishRoute } from './routes/unpublishRoute.ts';
import { checks as interrupted } from './store/interrupted.ts';
import { checks as modes } from './store/modes.ts';
import { checks as postgres } from './store/postgres.ts';
import { checks as store } from './store/store.ts';
import { checks as storeFaults } from './store/store-faults.ts';
import { checks as tunnelPeers } from './tunnel/peers.ts';
import { checks as tunnel } from './tunnel/tunnel.ts';
import { checks as tunnelAnswers } from './tunnel/tunnel-answers.ts';
import { checks as tunnelFailures } from './tunnel/tunnel-failures.ts';
import { checks as tunnelRecovery } from './tunnel/tunnel-recovery.ts';

/** All checks of the gateway: those of endpoints in the document's order, then the others. */
export const gatewayChecks: Check<GatewayContext>[] = [
  ...getHealth,
  ...registerBox,
  ...registerBoxRefusals,
  ...heartbeatBox,
  ...rotateBoxToken,
  ...deregisterBox,
  ...severalAtOnce,
  ...listRoutes,
  ...publishRoute,
  ...publishRouteFields,
  ...unpublishRoute,
  ...responses,
  ...http,
  ...httpPaths,
  ...ambiguous,
  ...body,
  ...exactRequests,
  ...authentication,
  ...limits,
  ...tunnel,
  ...tunnelPeers,
  ...tunnelAnswers,
  ...tunnelFailures,
  ...tunnelRecovery,
  ...routeFiles,
  ...routeFileUpkeep,
  ...routeFileRepair,
  ...routeFileSafety,
  ...unfinishedFiles,
  ...store,
  ...storeFaults,
  ...postgres,
  ...interrupted,
  ...modes,
  ...model,
  ...properties,
  ...process,
  ...processSettings,
];
