import type { GatewayEnvironment } from '../../../fakes/gateway-environment.ts';
import type { Fixture } from '../../kernel/check.ts';
import { NotApplicable } from '../../kernel/check.ts';
import { isObject } from '../../kernel/expect.ts';

import type { GatewayContext } from './context.ts';

/**
 * A gateway that many checks share. Each check uses its own boxes and subdomains. Checks that affect all boxes, the
 * tunnel manager or the process need their own environment.
 */
const sharedGateway: Fixture<GatewayEnvironment> = {
  name: 'shared gateway',
  prepare: (environment) => {
    Object.assign(environment.variables, { GATEWAY_BOX_LIMIT: '240', GATEWAY_ROUTE_LIMIT: '60' });
  },
};

export const shared = { shared: sharedGateway };

/** How long a request may take while the tunnel manager hangs: no requirement says how long a gateway waits for it. */
export const tunnelWaitMs = 15_000;

/** Finds the outermost field with one of these names. On the same level, earlier names win. */
export function fieldIn(result: unknown, ...names: string[]): { value: unknown } | null {
  let level = [result];
  while (level.length > 0) {
    for (const one of level.filter(isObject)) {
      const name = names.find((wanted) => Object.hasOwn(one, wanted));
      if (name !== undefined) return { value: one[name] };
    }
    level = level.flatMap(within);
  }
  return null;
}

/** Finds the object that has this text as a direct value. */
export function objectWith(result: unknown, text: string): Record<string, unknown> | null {
  if (isObject(result) && Object.values(result).includes(text)) return result;
  for (const one of within(result)) {
    const found = objectWith(one, text);
    if (found !== null) return found;
  }
  return null;
}

const within = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

/** The error texts that the requirements fix. */
export const texts = {
  notFound: 'not found',
  missingToken: 'missing bearer token',
  invalidToken: 'invalid or expired box token',
  otherBox: 'token does not authorize this box',
  registrationFields: 'registration_token and box_name are required',
  registrationToken: 'invalid registration token',
  boxLimit: 'box limit exceeded for this account',
  routeFields: 'app_name, subdomain, and port are required',
  subdomain: 'subdomain already in use',
  reserved: 'subdomain is reserved by this gateway: choose another one',
  routeLimit: 'route limit exceeded for this box',
  route: 'route not found',
} as const;

/** Not applicable if the store does not outlive the process. */
export function needsLastingStore({ environment }: GatewayContext): void {
  if (environment.store === 'memory') throw new NotApplicable('a store in memory outlives no process');
}

/** Not applicable if the operator chose another store than the default. */
export function needsOwnStore({ environment }: GatewayContext): void {
  if (environment.store !== 'files') throw new NotApplicable('the operator gave another store');
}
