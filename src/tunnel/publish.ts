import type { Route } from '../client/gateway-client.ts';
import { setOpenPorts } from './firewall.ts';
import { type HostState, hostState } from './rules/host-state.ts';
import { joinedBox, locked, type TunnelPorts, TunnelProblem } from './tunnel.ts';
import type { Joined } from './tunnel-files.ts';

export type PublishRequest = {
  app: string;
  subdomain: string;
  port: number;
  /**
   * The app's directory. The route is withdrawn once the directory is gone. `null` if the port belongs to no
   * installed app.
   */
  appDirectory: string | null;
  /** Ports of this box's own servers, each with its purpose. */
  ownPorts: readonly { port: number; what: string }[];
  /** The address at which the gateway's proxy is asked for the published host; `null` means the published address. */
  proxy: string | null;
};

const loopback = '127.0.0.1';

/** How long the proxy may take: Traefik reads its directory within seconds, a certificate takes a few more. */
const waitMs = 15_000;
const askEveryMs = 500;

/**
 * Publishes an app, opens its port to the gateway, and waits until the proxy serves the host, at most 15 s. Warns if
 * nothing listens on the port, and refuses the box's own ports. If the port cannot be opened, the route is withdrawn.
 */
export async function publish(ports: TunnelPorts, request: PublishRequest): Promise<Route & HostState> {
  const box = joinedBox(ports.files);
  await refuseOwnPort(ports, box, request);
  const route = await publishRoute(ports, request);
  await warnWithoutListener(ports, box, request.port);
  return { ...route, ...(await stateOfHost(ports, route, request.proxy)) };
}

async function refuseOwnPort(
  { wireGuard, localPorts }: TunnelPorts,
  box: Joined,
  { port, ownPorts }: PublishRequest,
): Promise<void> {
  const own = ownPorts.find((known) => known.port === port);
  if (own !== undefined) throw ownPort(port, own.what);
  const isUp = wireGuard.interfaceWith(box.address) !== null;
  for (const address of isUp ? [loopback, box.address] : [loopback]) {
    if (await localPorts.isBoxgate(address, port)) throw ownPort(port, 'a server of boxgate, or shows its page');
  }
}

function ownPort(port: number, what: string): TunnelProblem {
  return new TunnelProblem(
    `port ${port} is ${what}, which has no login: everybody could use it. Publish the port of an app`,
  );
}

async function warnWithoutListener(
  { wireGuard, localPorts, warn }: TunnelPorts,
  { address }: Joined,
  port: number,
): Promise<void> {
  const isUp = wireGuard.interfaceWith(address) !== null;
  if (await localPorts.listens(isUp ? address : loopback, port)) return;
  const isLocal = isUp && (await localPorts.listens(loopback, port));
  warn(
    isLocal
      ? `port ${port} of this box listens only on 127.0.0.1: the gateway does not reach it until it listens on all addresses`
      : `nothing listens on port ${port} of this box: visitors get an error until something does`,
  );
}

function publishRoute(
  { files, client: clientOf, packetFilter }: TunnelPorts,
  { app, subdomain, port, appDirectory }: PublishRequest,
): Promise<Route> {
  return locked(files, async () => {
    const box = joinedBox(files);
    const client = clientOf(box.gateway);
    const open = files.openPorts.read();
    const route = await client.publish(box, { app_name: app, subdomain, port });
    try {
      // Opens the requested port, because the gateway's answer could name another one.
      const opened = { id: route.id, host: route.host, port, appDirectory, isClosed: false };
      await setOpenPorts({ files, packetFilter }, box, [...open, opened]);
    } catch (error) {
      await setOpenPorts({ files, packetFilter }, box, open).catch(() => undefined);
      await client.unpublish(box, route.id).catch(() => undefined);
      throw error;
    }
    return route;
  });
}

/** Asks the proxy for the published host until an answer is final or the time is up. */
async function stateOfHost(
  { probe, now, pause }: TunnelPorts,
  { host }: Route,
  proxy: string | null,
): Promise<HostState> {
  const end = now().getTime() + waitMs;
  for (;;) {
    const leftMs = Math.max(end - now().getTime(), askEveryMs);
    const { isFinal, ...state } = hostState(await probe(proxy ?? `https://${host}`, host, { timeoutMs: leftMs }));
    if (isFinal || now().getTime() + askEveryMs >= end) return state;
    await pause(askEveryMs);
  }
}
