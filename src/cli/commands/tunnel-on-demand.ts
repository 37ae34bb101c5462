/** What the commands of a tunnel need, as one module that is loaded on demand. */
import { join } from 'node:path';
import { makeGatewayClient } from '../../client/gateway-client.ts';
import { readTextIfThere } from '../../lib/read-file.ts';
import { shownName } from '../../lib/shown-text.ts';
import { makePacketFilter } from '../../tunnel/firewall.ts';
import { networkFacts } from '../../tunnel/network-facts.ts';
import { declaredPort } from '../../tunnel/rules/app-port.ts';
import type { TunnelPorts } from '../../tunnel/tunnel.ts';
import { makeTunnelFiles } from '../../tunnel/tunnel-files.ts';
import { makeWireGuard } from '../../tunnel/wireguard.ts';

export { loadFirewall } from '../../tunnel/firewall.ts';
export { join } from '../../tunnel/join.ts';
export { leave } from '../../tunnel/leave.ts';
export { rotate } from '../../tunnel/rotate.ts';
export { listRoutes, publish, unpublish } from '../../tunnel/routes.ts';
export { age } from '../../tunnel/rules/tunnel-state.ts';
export { heartbeat, tunnelStatus } from '../../tunnel/status.ts';

const largestManifestBytes = 64 * 1024;

export function makeTunnel(stateDir: string): TunnelPorts {
  return {
    files: makeTunnelFiles(stateDir),
    client: makeGatewayClient,
    networkFacts,
    packetFilter: makePacketFilter(),
    wireGuard: makeWireGuard(),
    now: () => new Date(),
    warn: (text) => process.stderr.write(`boxgate: ${shownName(text)}\n`),
  };
}

/** The port that the manifest of an installed app declares. Throws if the manifest cannot be read. */
export function portOfApp(installedApps: string, app: string): number {
  const manifest = join(installedApps, app, 'manifest.json');
  return declaredPort(app, readTextIfThere(manifest, largestManifestBytes));
}
