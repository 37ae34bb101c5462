import { isNetwork } from '../../lib/network/network-text.ts';
import type { RouteAccess } from '../ports.ts';

/** The known fields of the rules in a request, without fields of later versions. */
export function routeAccess({ login, password_hash, allow, open_paths }: RouteAccess): RouteAccess {
  return {
    ...(login === undefined ? {} : { login }),
    ...(password_hash === undefined ? {} : { password_hash }),
    ...(allow === undefined ? {} : { allow }),
    ...(open_paths === undefined ? {} : { open_paths }),
  };
}

/** What the document's schema cannot say about access rules, as the rule that is broken; `null` if none is. */
export function accessFault({ login, password_hash, allow = [], open_paths }: RouteAccess): string | null {
  if ((login === undefined) !== (password_hash === undefined)) return 'access must have both login and password_hash';
  if (login === undefined && open_paths !== undefined) return 'access must have a login if it has open_paths';
  if (login === undefined && allow.length === 0) return 'access must have login and password_hash, or allow';
  const wrong = allow.find((network) => !isNetwork(network));
  return wrong === undefined ? null : `access.allow must be networks such as 203.0.113.0/24, and ${wrong} is none`;
}
