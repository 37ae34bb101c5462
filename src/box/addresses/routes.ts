import type { Route } from '../../client/gateway-client.ts';
import { changeJoined, joinedBox } from './joined-box.ts';
import { changeOpenPorts } from './open-ports.ts';
import { type AddressPorts, type OpenPort, TunnelProblem } from './ports.ts';
import { nameProblems } from './verify-ports.ts';

/**
 * Asks the gateway for this box's routes. Warns about a name that does not lead to its app, about a route whose port this
 * box keeps closed (the gateway lists it, but nobody published it here) and about a port that is open for a route that
 * the gateway does not list.
 */
export async function listRoutes(ports: AddressPorts): Promise<Route[]> {
  const { files, client, warn } = ports;
  const box = joinedBox(files);
  const routes = await client(box.gateway).listRoutes(box);
  const problems = await nameProblems(ports, box);
  for (const problem of problems.values()) warn(problem);
  const open = files.openPorts.read().filter(({ id }) => !problems.has(id));
  for (const { id, host, port } of routes) {
    if (!problems.has(id) && !open.some((row) => row.id === id && row.port === port)) {
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
export function unpublish(ports: AddressPorts, idOrHost: string): Promise<{ id: string; host: string }> {
  const { files } = ports;
  return changeJoined(ports, async (box) => {
    const isMeant = ({ id, host }: { id: string; host: string }) => id === idOrHost || host === idOrHost.toLowerCase();
    const closed = files.openPorts.read().find(isMeant);
    // A faulty gateway may have given two routes the same id or host.
    const closeAll = (rows: OpenPort[]) => rows.filter((row) => !isMeant(row));
    const [closing] = await Promise.allSettled([changeOpenPorts(ports, box, closeAll)]);
    const client = ports.client(box.gateway);
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
