import { type GatewayClient, GatewayRefused, type Route } from '../../client/gateway-client.ts';
import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { joinedBox } from './joined-box.ts';
import { type AddressPorts, type Joined, TunnelProblem } from './ports.ts';
import { gatewayKey, tunnelInterface } from './rules/firewall.ts';
import { tunnelState } from './rules/tunnel-state.ts';
import { nameProblems } from './verify-ports.ts';

type TunnelStatus = Awaited<ReturnType<typeof examineTunnel>>['status'];

/**
 * Reports the state of the tunnel: the local facts, whether data through it is answered (which may take 20 s), whether
 * the gateway still accepts the box's token, and whether the published names lead to their apps.
 * @returns `routes`: `null` if the gateway did not return them
 */
export async function examineTunnel(ports: AddressPorts) {
  const box = joinedBox(ports.files);
  const { gateway, boxId, boxName, address, gatewayEnd } = box;
  const [seen, listed, problems] = await Promise.all([
    lookAtTunnel(ports, box),
    routesOrProblem(ports.client(gateway), box),
    nameProblems(ports, box),
  ]);
  const facts = seen === null || 'failure' in seen ? null : seen;
  const gatewayAddress = facts?.gatewayAddress ?? gatewayEnd.address;
  const { routes, problem: ofGateway, isUnknown } = listed;
  const { configFile } = ports.files;
  const { tunnel, problem } = tunnelState(seen, { configFile, now: ports.now(), isUnknown });
  const status = {
    gateway,
    box_id: boxId,
    box_name: boxName,
    /** In the tunnel, as `gateway_address` is. */
    address,
    gateway_address: gatewayAddress,
    /** Whether the gateway did not say in which network its address is. */
    gateway_address_assumed: gatewayEnd.isAssumed && gatewayEnd.address === gatewayAddress,
    /** Where the tunnel's packets are sent now; `null` if the tunnel is down. */
    endpoint: facts?.endpoint ?? null,
    /** The longest packet that the tunnel takes, in bytes; `null` if the tunnel is down. */
    mtu: facts?.mtu ?? null,
    tunnel,
    /** When WireGuard last agreed on keys with the gateway; `null` if it never did or the tunnel is down. */
    handshake_at: facts?.handshakeAt?.toISOString() ?? null,
    /** Why the tunnel carries nothing, and what to do; `null` if it works. */
    tunnel_problem: problem,
    routes: routes?.length ?? null,
    /** Why the number of routes is unknown; `null` if the gateway returned the routes. */
    problem: ofGateway,
    name_problems: [...problems.values()],
  };
  return { status, routes };
}

/** @param ofTunnel - the problem of the tunnel itself, as the owner reads it */
export function problemsOf({ problem, name_problems: names }: TunnelStatus, ofTunnel: string | null): string[] {
  return [ofTunnel, problem, ...names].filter((text) => text !== null).map(shownName);
}

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

/** A failure to look hides nothing else of the status. */
async function lookAtTunnel(ports: AddressPorts, box: Joined) {
  const name = ports.wireGuard.interfaceWith(box.address);
  if (name === null) return null;
  return lookAtInterface(ports, box, name).catch(ignore(TunnelProblem, (error) => ({ failure: error.message })));
}

/** @returns `null` if the interface is not that of this tunnel, although it has the box's address */
async function lookAtInterface({ files, wireGuard, packetFilter }: AddressPorts, box: Joined, name: string) {
  const key = gatewayKey(files.readConfig());
  const peer = await wireGuard.peer(name, key);
  if (peer === null) return null;
  const ends = { box: box.address, gateway: peer.gatewayAddress };
  const way = (await wireGuard.routeTo(ends.gateway, ends.box))?.dev ?? 'no interface';
  const otherWay = way === name ? null : way;
  const answered = otherWay === null && (await wireGuard.answers(name, key, ends));
  // Read again, because the data may have started a new WireGuard handshake.
  const { handshakeAt, endpoint } = (await wireGuard.peer(name, key)) ?? peer;
  const isFiltered = name === tunnelInterface && (await packetFilter.isLoaded(box));
  const { gatewayAddress } = peer;
  return { gatewayAddress, answered, handshakeAt, isFiltered, endpoint, otherWay, mtu: wireGuard.mtu(name) };
}

async function routesOrProblem(client: GatewayClient, box: Joined) {
  try {
    return { routes: await client.listRoutes(box), problem: null, isUnknown: false };
  } catch (error) {
    // `status` shows the problem and exits with 1.
    const isUnknown = error instanceof GatewayRefused && error.status === 401;
    return { routes: null, problem: (error as Error).message, isUnknown };
  }
}
