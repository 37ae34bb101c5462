import { GatewayRefused } from '../../client/gateway-client.ts';
import { changeJoined } from './joined-box.ts';
import { type AddressPorts, TunnelProblem } from './ports.ts';

/**
 * Deregisters the box, takes the tunnel down and removes the files, in this order: the files stay until nothing needs
 * them, so that a leave that fails can be repeated. If the gateway does not know the token any more, warns and goes on:
 * such a token can deregister nothing.
 */
export function leave(ports: AddressPorts): Promise<{ boxId: string }> {
  const { files, client, packetFilter, wireGuard, warn } = ports;
  return changeJoined(ports, async (box) => {
    try {
      await client(box.gateway).deregister(box);
    } catch (error) {
      if (!(error instanceof GatewayRefused) || error.status !== 401) throw error;
      warn(`${box.gateway} does not know this box's token; if it still lists ${box.boxId}, its operator removes it`);
    }
    await packetFilter.open(box, []);
    try {
      const isInterfaceGone = await wireGuard.takeDown(files.configFile, box.address);
      // Usually boxgate-tunnel.service has removed the packet filter already, but not for a tunnel that was started
      // by hand. An interface that still exists belongs to another registration, which may need these rules.
      if (isInterfaceGone) await packetFilter.remove(box);
    } catch (error) {
      throw new TunnelProblem(
        `${box.boxId} has left, but its tunnel could not be taken down: ${(error as Error).message}; correct that and ` +
          'run boxgate tunnel leave again',
        { cause: error },
      );
    }
    await files.remove();
    return { boxId: box.boxId };
  });
}
