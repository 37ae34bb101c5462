import { setTimeout as pause } from 'node:timers/promises';
import { makeGatewayClient } from '../../client/gateway-client.ts';
import { logLine } from '../../lib/log-line.ts';
import { probeHost } from '../../lib/probe-host.ts';
import { trustSystemCertificates } from '../../lib/system-certificates.ts';
import { makeUpdateFiles } from '../../self-update/adapters/update-files.ts';
import { makeChanges } from '../adapters/changes.ts';
import { makeComposeContainers } from '../adapters/docker/compose.ts';
import { type BoxPorts, ContainersFailed } from '../ports.ts';
import { appDirectories } from './adapters/app-directories.ts';
import { bootId, networkFacts, servesBox } from './adapters/kernel.ts';
import { makeLocalPorts } from './adapters/local-ports.ts';
import { newLogin } from './adapters/new-login.ts';
import { makePacketFilter } from './adapters/packet-filter.ts';
import { makeTunnelFiles } from './adapters/tunnel-files.ts';
import { makeWireGuard } from './adapters/wireguard.ts';
import { addressesOf } from './addresses.ts';
import type { AppsOfBox } from './place-of-app.ts';
import type { Addresses, AddressPorts } from './ports.ts';

type UnderWay = Pick<ReturnType<typeof makeChanges>, 'isUnderWay'>;

/** The public addresses of a box. */
export function makeAddresses(
  box: AppsOfBox & Pick<BoxPorts, 'warn' | 'stateDirectory'> & { changes: UnderWay },
  usualPort: number,
): Addresses {
  const containers = async () => {
    const { containers, failure } = await box.observer.look();
    return failure === null ? containers : null;
  };
  const { changes, warn, stateDirectory } = box;
  return addressesOf({ ...makeTunnel(stateDirectory, changes), containers, warn }, box, { usualPort });
}

/** The ports of the tunnel's commands, which need nothing else of the box. */
export function makeTunnel(stateDir: string, changes: UnderWay = makeChanges(stateDir)): AddressPorts {
  const { readRunning } = makeUpdateFiles(stateDir);
  return {
    files: makeTunnelFiles(stateDir),
    client(gateway) {
      if (gateway.startsWith('https:')) trustSystemCertificates();
      return makeGatewayClient(gateway);
    },
    networkFacts,
    packetFilter: makePacketFilter(),
    wireGuard: makeWireGuard(),
    localPorts: makeLocalPorts(),
    appDirectories,
    newLogin,
    containers: () =>
      makeComposeContainers(process.env)
        .observe()
        .catch((error: unknown) => {
          if (error instanceof ContainersFailed) return null;
          throw error;
        }),
    isChanging: changes.isUnderWay,
    isBoxRunning: async () => servesBox((await readRunning())?.pid ?? 0),
    probe: probeHost,
    bootId,
    now: () => new Date(),
    pause: (ms) => pause(ms),
    warn: (text) => logLine(`boxgate: ${text}`),
  };
}
