import { makeGatewayEnvironment } from '../../../fakes/gateway-environment.ts';
import { dialects } from '../../../fakes/wg-easy/model/dialect.ts';
import { forwardManager } from '../../environments/forwarded-manager.ts';
import type { Api } from '../../run/api.ts';
import { gatewayChecks } from './checks.ts';
import { type GatewayContext, openGatewayContext } from './context.ts';
import { gatewayContract } from './contract.ts';

export const gatewayApi: Api<GatewayContext> = {
  name: 'gateway',
  checks: gatewayChecks,
  makeEnvironment: ({ variant, store, parts: { tunnel } }) => {
    const dialect = dialects[variant % dialects.length] ?? '15.4';
    const options = store === undefined ? {} : { store };
    if (tunnel === undefined) return makeGatewayEnvironment({ ...options, manager: { dialect } });
    return makeGatewayEnvironment({ ...options, openManager: (wishes) => forwardManager(tunnel, wishes) });
  },
  openContext: openGatewayContext,
  secretsOf: ({ registrationToken, manager }) => [registrationToken, manager.password],
  contract: gatewayContract,
  smokePath: '/healthz',
};
