import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { HostAnswer } from '../../lib/network/host-answer.ts';
import { probeHost } from '../../lib/network/probe-host.ts';

/**
 * Asks the app of a box as the proxy does, without the proxy's login. `null` if this machine has no address in the network of
 * the tunnels, and so cannot.
 */
export async function askThroughTunnel(
  address: string,
  port: number,
  host: string,
  timeoutMs: number,
): Promise<HostAnswer | null> {
  return isNear(address) ? probeHost(`http://${address}:${port}`, host, { timeoutMs }) : null;
}

/** A sandbox may keep this process from looking at the interfaces. */
function isNear(address: string): boolean {
  const networks = new BlockList();
  try {
    for (const { family, cidr } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
      const [network = '', prefix] = cidr?.split('/') ?? [];
      if (family === 'IPv4' && prefix !== undefined) networks.addSubnet(network, Number(prefix));
    }
  } catch {
    return false;
  }
  return networks.check(address);
}
