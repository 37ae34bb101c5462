import type { Route } from '../client/gateway-client.ts';
import { setOpenPorts } from './firewall.ts';
import { joinedBox, locked, type TunnelPorts, TunnelProblem } from './tunnel.ts';

/**
 * Asks the gateway for this box's routes. Warns about a route whose port this box keeps closed (the gateway lists it, but
 * nobody published it here) and about a port that is open for a route that the gateway does not list.
 */
export async function listRoutes({ files, client, warn }: TunnelPorts): Promise<Route[]> {
  const box = joinedBox(files);
  const routes = await client(box.gateway).listRoutes(box);
  const own = files.openPorts.read();
  const open = own.filter(({ isClosed }) => !isClosed);
  for (const { id, host, port } of routes) {
    if (own.some((row) => row.id === id && row.isClosed)) {
      warn(
        `port ${port} of this box is closed for ${host}: its app was removed, and every heartbeat tries to withdraw it`,
      );
    } else if (!open.some((row) => row.id === id && row.port === port)) {
      warn(`port ${port} of this box is closed for ${host}: unpublish ${id}, then publish the app again`);
    }
  }
  for (const { id, host, port } of open) {
    if (!routes.some((route) => route.id === id)) {
      warn(
        `port ${port} of this box is open for ${host}, which the gateway does not list: boxgate tunnel unpublish ${id} closes it`,
      );
    }
  }
  return routes;
}

/**
 * Closes the port, then withdraws the route. A failure of one of these steps does not prevent the other.
 * @param idOrHost - a route's id, or the host that it answers under
 */
export function unpublish(
  { files, client: clientOf, packetFilter }: TunnelPorts,
  idOrHost: string,
): Promise<{ id: string; host: string }> {
  return locked(files, async () => {
    const box = joinedBox(files);
    const isMeant = ({ id, host }: { id: string; host: string }) => id === idOrHost || host === idOrHost.toLowerCase();
    const open = files.openPorts.read();
    // A faulty gateway may have given two routes the same id or host.
    const [closed] = open.filter(isMeant);
    const left = open.filter((row) => !isMeant(row));
    // Updates the packet filter even if no row matches: an earlier attempt may have failed between file and filter.
    const [closing] = await Promise.allSettled([setOpenPorts({ files, packetFilter }, box, left)]);
    const client = clientOf(box.gateway);
    const listed = (await client.listRoutes(box)).find(isMeant);
    if (listed !== undefined) await client.unpublish(box, listed.id);
    if (closing.status === 'rejected') {
      const text = `the gateway has no route ${idOrHost} any more, but its port may still be open on this box`;
      throw new TunnelProblem(`${text}: ${closing.reason.message}; boxgate tunnel firewall closes it`, {
        cause: closing.reason,
      });
    }
    const gone = listed ?? closed;
    if (gone === undefined) {
      throw new TunnelProblem(
        `this box has no route ${JSON.stringify(idOrHost)}; boxgate tunnel list shows ids and hosts`,
      );
    }
    return gone;
  });
}
