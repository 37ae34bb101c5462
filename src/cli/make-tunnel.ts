import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeLocalPorts } from '../box/addresses/adapters/local-ports.ts';
import { networkFacts } from '../box/addresses/adapters/network-facts.ts';
import { makeTunnelFiles } from '../box/addresses/adapters/tunnel-files.ts';
import { makeWireGuard } from '../box/addresses/adapters/wireguard.ts';
import { makePacketFilter } from '../box/addresses/firewall.ts';
import { declaredPort, publishedPort } from '../box/addresses/rules/app-port.ts';
import type { AppContainer } from '../box/addresses/rules/published-app.ts';
import type { TunnelPorts } from '../box/addresses/tunnel.ts';
import type { BoxSettings } from '../box/box-settings.ts';
import type { Container } from '../box/engine/rules/container.ts';
import { makeGatewayClient } from '../client/gateway-client.ts';
import { readTextIfThere } from '../lib/files/read-file.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { logLine } from '../lib/log-line.ts';
import { probeHost } from '../lib/probe-host.ts';
import { acquireLock } from '../lib/process/lock.ts';
import { trustSystemCertificates } from '../lib/system-certificates.ts';

const largestManifestBytes = 64 * 1024;

export function makeTunnel(stateDir: string): TunnelPorts {
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
    containers: appContainers,
    isChanging: () => isChanging(stateDir),
    isBoxRunning: () => isBoxRunning(stateDir),
    probe: probeHost,
    bootId,
    now: () => new Date(),
    pause: (ms) => pause(ms),
    warn: (text) => logLine(`boxgate: ${text}`),
  };
}

/**
 * The port that an installed app publishes now. If Docker does not answer, it is the one that its manifest declares, with
 * a warning. Throws if there is not exactly one.
 */
export async function portOfApp(box: BoxSettings, app: string, warn: (text: string) => void): Promise<number> {
  if (appDirectory(box, app) === null) return declaredPort(app, null);
  const { openPortsOf } = await import('../box/engine/app-states.ts');
  const { makeBox } = await import('../box/server.ts');
  const published = await openPortsOf(makeBox(box), app);
  if (published !== null) return publishedPort(app, published);
  const file = join(box.installedApps, app, 'manifest.json');
  const port = declaredPort(app, readTextIfThere(file, largestManifestBytes));
  warn(`Docker does not answer: port ${port} is what the manifest of ${app} declares, not what it publishes now`);
  return port;
}

async function appContainers(): Promise<AppContainer[] | null> {
  const { makeComposeContainers } = await import('../box/adapters/docker/compose.ts');
  const { ContainersFailed } = await import('../box/ports.ts');
  try {
    const containers = await makeComposeContainers(process.env).observe();
    return containers.filter(({ oneOff }) => !oneOff).map(appContainer);
  } catch (error) {
    if (error instanceof ContainersFailed) return null;
    throw error;
  }
}

function appContainer({ workingDirectory, service, state, isOnHostNetwork, published }: Container): AppContainer {
  return {
    directory: workingDirectory,
    service,
    // A paused container keeps its ports.
    isRunning: state === 'running' || state === 'paused',
    isOnHostNetwork,
    published: published.filter(({ protocol }) => protocol === 'tcp'),
  };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return ''; // A sandbox may hide it.
  }
}

async function isChanging(stateDir: string): Promise<boolean> {
  const lock = await acquireLock(join(stateDir, 'change.lock'), { wait: false });
  lock?.release();
  return lock === null;
}

/** The directory of an installed app; `null` if the app is not installed. */
export function appDirectory({ installedApps }: BoxSettings, app: string): string | null {
  const directory = resolve(installedApps, app);
  return basename(directory) === app && existsSync(directory) ? directory : null;
}

/** Whether the process that `running.json` names serves a box. */
function isBoxRunning(stateDir: string): boolean {
  try {
    const { pid } = JSON.parse(readTextIfThere(join(stateDir, 'running.json'), largestManifestBytes) ?? '{}');
    return Number.isInteger(pid) && /\0box\0serve\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ports of the box's own server: those of the running server, else the configured ones. */
export function ownPorts({ stateDir, port }: BoxSettings): { port: number; what: string }[] {
  const running = readTextIfThere(join(stateDir, 'running.json'), largestManifestBytes);
  // If no server runs or the file is damaged, the page itself is requested too.
  const found = parseJson(running ?? '');
  const address = isJsonObject(found) ? URL.parse(String(found.address)) : null;
  return [{ port: Number(address?.port) || port, what: "the box's management page" }];
}
