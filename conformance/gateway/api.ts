import { makeGatewayWorld } from '../../fakes/gateway-world.ts';
import { dialects } from '../../fakes/wg-easy/model/dialect.ts';
import type { Api } from '../api.ts';
import { forwardManager } from '../real-parts/forwarded-manager.ts';
import { gatewayChecks } from './checks.ts';
import { gatewayContract } from './contract.ts';
import { type Gateway, holdGateway } from './gateway.ts';

export const gatewayApi: Api<Gateway> = {
  name: 'gateway',
  checks: gatewayChecks,
  makeWorld: ({ variant, store, parts: { tunnel } }) => {
    const dialect = dialects[variant % dialects.length] ?? '15.4';
    const options = store === undefined ? {} : { store };
    if (tunnel === undefined) return makeGatewayWorld({ ...options, manager: { dialect } });
    return makeGatewayWorld({ ...options, openManager: (wishes) => forwardManager(tunnel, wishes) });
  },
  hold: holdGateway,
  secretsOf: ({ registrationToken, manager }) => [registrationToken, manager.password],
  contract: gatewayContract,
  smokePath: '/healthz',
};
