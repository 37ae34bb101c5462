import { networkInterfaces } from 'node:os';
import type { HostAnswer } from '../../lib/network/host-answer.ts';
import { inRanges } from '../../lib/network/ip-ranges.ts';
import { probeHost } from '../../lib/network/probe-host.ts';

/** Asks an app without the proxy's login; `null` if this machine has no address in the network of the tunnels. */
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
  try {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return inRanges(...own.flatMap(({ family, cidr }) => (family === 'IPv4' && cidr !== null ? [cidr] : [])))(address);
  } catch {
    return false;
  }
}
