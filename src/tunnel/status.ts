import type { GatewayClient } from '../client/gateway-client.ts';
import { joinedBox, type TunnelPorts } from './tunnel.ts';
import type { Joined } from './tunnel-files.ts';

export type TunnelStatus = {
  gateway: string;
  box_id: string;
  box_name: string;
  /** In the tunnel. */
  address: string;
  /** Whether an interface of this machine has that address. */
  tunnel: 'up' | 'down';
  routes: number | null;
  /** Why the gateway could not say how many; null when it did. */
  problem: string | null;
};

/** What is known here of the tunnel, and whether the gateway still takes the box's token. */
export async function tunnelStatus({ files, client, ownAddresses }: TunnelPorts): Promise<TunnelStatus> {
  const box = joinedBox(files);
  const { gateway, boxId, boxName, address } = box;
  return {
    gateway,
    box_id: boxId,
    box_name: boxName,
    address,
    tunnel: ownAddresses().includes(address) ? 'up' : 'down',
    ...(await routesOrProblem(client(gateway), box)),
  };
}

async function routesOrProblem(client: GatewayClient, box: Joined) {
  try {
    const routes = await client.listRoutes(box);
    return { routes: routes.length, problem: null };
  } catch (error) {
    // Part of what is shown, and the command's exit status.
    return { routes: null, problem: (error as Error).message };
  }
}

/** Tells the gateway that the box is alive. */
export async function heartbeat({ files, client }: TunnelPorts): Promise<{ boxId: string }> {
  const box = joinedBox(files);
  await client(box.gateway).heartbeat(box);
  return { boxId: box.boxId };
}
