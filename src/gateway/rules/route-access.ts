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

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IP address, perhaps with the length of a prefix. */
export function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const longest = ipv4.test(address) ? 32 : address.includes(':') && URL.canParse(`http://[${address}]`) ? 128 : -1;
  return Number(length ?? longest) <= longest && longest > 0;
}
