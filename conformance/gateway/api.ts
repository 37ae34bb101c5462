import { makeGatewayWorld } from '../../fakes/gateway-world.ts';
import { dialects } from '../../fakes/wg-easy/model/dialect.ts';
import type { Api } from '../api.ts';
import { gatewayChecks } from './checks.ts';
import { gatewayContract } from './contract.ts';
import { type Gateway, holdGateway } from './gateway.ts';

export const gatewayApi: Api<Gateway> = {
  name: 'gateway',
  checks: gatewayChecks,
  makeWorld: ({ variant, store }) => {
    const dialect = dialects[variant % dialects.length] ?? '15.4';
    return makeGatewayWorld({ manager: { dialect }, ...(store === undefined ? {} : { store }) });
  },
  hold: holdGateway,
  secretsOf: ({ registrationToken, manager }) => [registrationToken, manager.password],
  contract: gatewayContract,
  smokePath: '/healthz',
};
