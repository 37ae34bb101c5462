import { makeGatewayEnvironment } from '../../../fakes/gateway-environment.ts';
import { dialects } from '../../../fakes/wg-easy/model/dialect.ts';
import type { WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { forwardManager } from '../../environments/forwarded-manager.ts';
import { gatewayProfileChecks } from '../../profile/gateway/checks.ts';
import { type Evidence, shownCalls } from '../../report/evidence.ts';
import { cut } from '../../report/shown-exchange.ts';
import type { Api } from '../../run/api.ts';
import { gatewayChecks } from './checks.ts';
import { type GatewayContext, openGatewayContext } from './context.ts';
import { gatewayContract } from './contract.ts';

/** The latest requests of the gateway to its tunnel manager, with their times since the check began and error bodies. */
function tunnelEvidence(manager: WgEasy, since: number): Evidence[] {
  const latest = manager.log().filter(({ at }) => at >= since);
  if (latest.length === 0) return [];
  const lines = latest.slice(-shownCalls).map(({ at, method, path, sent, status, received, fault }) => {
    const caused = fault === null ? '' : ` (the check caused: ${fault})`;
    const answer = status !== null && status < 400 ? '' : ` ${oneLine(received)}`.trimEnd();
    const request = `${method} ${path} ${oneLine(sent)}`.trimEnd();
    return `+${at - since} ms ${request} → ${status ?? 'no response'}${answer}${caused}`;
  });
  return [{ about: `requests to the tunnel manager (${manager.label})`, lines }];
}

const shownBody = 120;

const oneLine = (body: string) => cut(body.replace(/\s+/g, ' '), shownBody);

export const gatewayApi: Api<GatewayContext> = {
  name: 'gateway',
  checks: gatewayChecks,
  profileChecks: gatewayProfileChecks,
  makeEnvironment: ({ variant, store, parts: { tunnel } }) => {
    const dialect = dialects[variant % dialects.length] ?? '15.4';
    const options = store === undefined ? {} : { store };
    if (tunnel === undefined) return makeGatewayEnvironment({ ...options, manager: { dialect } });
    return makeGatewayEnvironment({ ...options, openManager: (wishes) => forwardManager(tunnel, wishes) });
  },
  openContext: openGatewayContext,
  secretsOf: ({ registrationToken, manager }) => [registrationToken, manager.password],
  surroundings: ({ manager }, since) => tunnelEvidence(manager, since),
  contract: gatewayContract,
  smokePath: '/healthz',
};
