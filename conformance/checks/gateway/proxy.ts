import { readdirSync } from 'node:fs';
import { equal } from '../../kernel/expect.ts';
import { until } from '../../kernel/observe.ts';
import type { Caller, GatewayContext } from './context.ts';
import { shownField } from './shared-fixture.ts';

/** Waits until the proxy serves exactly these hosts. */
export async function serves(gateway: GatewayContext, hosts: string[]): Promise<void> {
  const { traefik } = gateway.environment;
  const wanted = JSON.stringify(hosts.map(folded).sort());
  await until(`the proxy serves ${wanted}`, async () => {
    await traefik.settled();
    return JSON.stringify(traefik.hosts().map(folded).sort()) === wanted;
  });
  equal('a file that stops the proxy from reading', traefik.blocked, null);
}

/** Waits until the proxy serves exactly the routes that these boxes list. */
export async function servesWhatIsListed(gateway: GatewayContext, boxes: readonly Caller[]): Promise<void> {
  const { traefik, domain } = gateway.environment;
  await until('the proxy serves exactly the listed routes', async () => {
    const routes = (await Promise.all(boxes.map(gateway.routes))).flat();
    const hosts = routes.map((route) => folded(`${shownField(route, 'subdomain')}.${domain}`));
    await traefik.settled();
    return JSON.stringify(hosts.sort()) === JSON.stringify(traefik.hosts().map(folded).sort());
  });
  equal('a file that stops the proxy from reading', traefik.blocked, null);
}

/** Host names are case-insensitive. */
const folded = (host: string) => host.toLowerCase();

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
