import { readdirSync } from 'node:fs';
import { equal } from '../../kernel/expect.ts';
import { until } from '../../kernel/observe.ts';
import type { Caller, GatewayContext } from './context.ts';
import { fieldIn } from './shared-fixture.ts';

/** Waits until the proxy serves exactly these hosts, or as many. */
export async function serves(gateway: GatewayContext, hosts: readonly string[] | number): Promise<void> {
  const { traefik } = gateway.environment;
  const wanted = typeof hosts === 'number' ? `${hosts} hosts` : sorted(hosts);
  await until(`the proxy serves ${wanted}`, async () => {
    await traefik.settled();
    return isServed(gateway, hosts);
  });
  equal('a file that stops the proxy from reading', traefik.blocked, null);
}

/** Waits until the proxy serves exactly the routes that these boxes list. */
export async function servesWhatIsListed(gateway: GatewayContext, boxes: readonly Caller[]): Promise<void> {
  const { traefik, domain } = gateway.environment;
  await until('the proxy serves exactly the listed routes', async () => {
    const routes = (await Promise.all(boxes.map(gateway.routes))).flat();
    await traefik.settled();
    return isServed(gateway, hostsOf(routes, domain));
  });
  equal('a file that stops the proxy from reading', traefik.blocked, null);
}

/** The hosts of listed routes, or how many these are: no requirement says that the list shows subdomains. */
export function hostsOf(routes: readonly unknown[], domain: string): string[] | number {
  const subdomains = routes.flatMap((route) => fieldIn(route, 'subdomain') ?? []);
  return subdomains.length < routes.length ? routes.length : subdomains.map(({ value }) => `${value}.${domain}`);
}

function isServed({ environment }: GatewayContext, hosts: readonly string[] | number): boolean {
  const served = environment.traefik.hosts();
  return typeof hosts === 'number' ? new Set(served).size === hosts : sorted(served) === sorted(hosts);
}

/** Host names are case-insensitive. */
const sorted = (hosts: readonly string[]) => JSON.stringify(hosts.map((host) => host.toLowerCase()).sort());

/** Verifies that the proxy serves exactly these hosts now, without waiting for the gateway. */
export async function servesAtOnce(gateway: GatewayContext, hosts: string[]): Promise<void> {
  const { traefik } = gateway.environment;
  await traefik.settled();
  equal('the hosts that the proxy serves', traefik.hosts(), [...hosts].sort());
  equal('a file that stops the proxy from reading', traefik.blocked, null);
}

/** The names of the files directly in the routes directory. */
export function routeFiles(gateway: GatewayContext): string[] {
  const entries = readdirSync(gateway.environment.routesDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}
