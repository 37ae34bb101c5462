import type { Route } from '../client/gateway-client.ts';
import { joinedBox, type TunnelPorts, TunnelProblem } from './tunnel.ts';

/** What is published is the gateway's to know: it is asked each time. */
export function listRoutes({ files, client }: TunnelPorts): Promise<Route[]> {
  const box = joinedBox(files);
  return client(box.gateway).listRoutes(box);
}

export function publish(
  { files, client }: TunnelPorts,
  { app, subdomain, port }: { app: string; subdomain: string; port: number },
): Promise<Route> {
  const box = joinedBox(files);
  return client(box.gateway).publish(box, { app_name: app, subdomain, port });
}

/** @param idOrHost - a route's id, or the host that it answers under */
export async function unpublish(ports: TunnelPorts, idOrHost: string): Promise<Route> {
  const box = joinedBox(ports.files);
  const routes = await listRoutes(ports);
  const route = routes.find(({ id, host }) => id === idOrHost || host === idOrHost.toLowerCase());
  if (route === undefined) {
    throw new TunnelProblem(
      `this box has no route ${JSON.stringify(idOrHost)}; boxgate tunnel list shows ids and hosts`,
    );
  }
  await ports.client(box.gateway).unpublish(box, route.id);
  return route;
}
