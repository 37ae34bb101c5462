import { setTimeout as pause } from 'node:timers/promises';
import { makeGatewayClient } from '../../client/gateway-client.ts';
import { ignore } from '../../lib/ignore.ts';
import { logLine } from '../../lib/log-line.ts';
import { probeHost } from '../../lib/network/probe-host.ts';
import { makeUpdateFiles } from '../../self-update/adapters/update-files.ts';
import { makeChanges } from '../adapters/changes.ts';
import { makeComposeContainers } from '../adapters/docker/compose.ts';
import { ContainersFailed } from '../core.ts';
import { appDirectories } from './adapters/app-directories.ts';
import { bootId, networkFacts, servesBox } from './adapters/kernel.ts';
import { localPorts } from './adapters/local-ports.ts';
import { newLogin } from './adapters/new-login.ts';
import { makePacketFilter } from './adapters/packet-filter.ts';
import { makeTunnelFiles } from './adapters/tunnel-files.ts';
import { wireGuard } from './adapters/wireguard.ts';
import type { AddressPorts } from './ports.ts';

/**
 * The ports of the public addresses, for the tunnel's commands, which need nothing else of the box.
 * @param usualPort - the port of the management page while the box's server does not run
 */
export function makeTunnel(stateDir: string, usualPort = 0): AddressPorts {
  const { readRunning } = makeUpdateFiles(stateDir);
  return {
    files: makeTunnelFiles(stateDir),
    client: makeGatewayClient,
    networkFacts,
    packetFilter: makePacketFilter(),
    wireGuard,
    localPorts,
    appDirectories,
    newLogin,
    containers: () =>
      makeComposeContainers(process.env)
        .observe()
        .catch(ignore(ContainersFailed, () => null)),
    isChanging: makeChanges(stateDir).isUnderWay,
    boxPort: async () => Number(URL.parse((await readRunning())?.address ?? '')?.port) || usualPort,
    isBoxRunning: async () => servesBox((await readRunning())?.pid ?? 0),
    probe: probeHost,
    bootId,
    now: () => new Date(),
    pause: (ms) => pause(ms),
    warn: (text) => logLine(`boxgate: ${text}`),
  };
}
