import type { components } from '../api.gen.ts';
import type { Route, RouteAccess } from '../ports.ts';

const maxHostLength = 253;

export function hostOf(subdomain: string, domain: string): string {
  return `${subdomain}.${domain}`;
}

/** Whether the host is longer than DNS allows. choice/gateway/73 */
export function isHostTooLong(subdomain: string, domain: string): boolean {
  return hostOf(subdomain, domain).length > maxHostLength;
}

/** The access rules as the API shows them, without the hash of the password. */
function accessView({ login, allow, open_paths }: RouteAccess): components['schemas']['RouteAccess'] {
  return {
    ...(login === undefined ? {} : { login }),
    ...(allow === undefined ? {} : { allow: [...allow] }),
    ...(open_paths === undefined ? {} : { open_paths: [...open_paths] }),
  };
}

/** A route as the API shows it. */
export function routeView(route: Route, domain: string): components['schemas']['PublishedRoute'] {
  const host = hostOf(route.subdomain, domain);
  return {
    id: route.id,
    box_id: route.boxId,
    account_id: route.accountId,
    app_name: route.appName,
    subdomain: route.subdomain,
    port: route.port,
    host,
    url: `https://${host}`,
    ...(route.access === undefined ? {} : { access: accessView(route.access) }),
  };
}
