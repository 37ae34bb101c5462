import type { components } from '../api.gen.ts';
import type { Route } from '../ports.ts';

const maxHostLength = 253;

export function hostOf(subdomain: string, domain: string): string {
  return `${subdomain}.${domain}`;
}

/** Whether the host is longer than DNS allows. choice/gateway/73 */
export function isHostTooLong(subdomain: string, domain: string): boolean {
  return hostOf(subdomain, domain).length > maxHostLength;
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
  };
}
