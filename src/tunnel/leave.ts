import { GatewayRefused } from '../client/gateway-client.ts';
import { showOpenPorts } from './firewall.ts';
import { joinedBox, locked, type TunnelPorts } from './tunnel.ts';

/**
 * Deregisters the box and removes both files. A token that the gateway does not know any more can deregister nothing:
 * the files go all the same, with a word, because nothing can be done with them.
 */
export function leave({ files, client, packetFilter, warn }: TunnelPorts): Promise<{ boxId: string }> {
  return locked(files, async () => {
    const box = joinedBox(files);
    try {
      await client(box.gateway).deregister(box);
    } catch (error) {
      if (!(error instanceof GatewayRefused) || error.status !== 401) throw error;
      warn(
        `${box.gateway} does not know this box's token; if it still lists ${box.boxId}, its operator removes it`,
      );
    }
    await showOpenPorts(packetFilter, []);
    await files.remove();
    return { boxId: box.boxId };
  });
}
