import { type GatewayClient, GatewayLost, GatewayRefused, type Route } from '../client/gateway-client.ts';
import { changeOpenPorts } from './firewall.ts';
import type { OpenPort } from './open-ports.ts';
import { type HostState, hostState } from './rules/host-state.ts';
import { joinedBox, locked, type TunnelPorts, TunnelProblem } from './tunnel.ts';
import type { Joined } from './tunnel-files.ts';
import { nameProblems, verifyPorts } from './verify-ports.ts';

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
 * Publishes an app, opens its port to the gateway if a container of the app has it, and waits until the proxy serves the
 * host, at most 15 s. Warns if nothing listens on the port, and refuses the box's own ports. If the port cannot be opened,
 * the route is withdrawn.
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

function publishRoute(ports: TunnelPorts, request: PublishRequest): Promise<Route> {
  const { files, client: clientOf, warn } = ports;
  const { port, appDirectory } = request;
  return locked(files, async () => {
    const box = joinedBox(files);
    const client = clientOf(box.gateway);
    files.openPorts.read();
    const route = await newOrOwnRoute(client, box, request);
    const { id, host } = route;
    // A row of the same host is of a route that the gateway has lost, after a restore for example.
    const without = (rows: OpenPort[]) => rows.filter((row) => row.id !== id && row.host !== host);
    // Opens the requested port, because the gateway's answer could name another one.
    const opened: OpenPort = {
      ...{ id, host, port, appDirectory, service: null, containerPort: null },
      ...{ isClosed: false, shut: appDirectory === null ? null : 'unverified', movesTo: null, isTaken: false },
    };
    try {
      await changeOpenPorts(ports, box, (rows) => [...without(rows), opened]);
      if (appDirectory !== null) await verifyPorts(ports, box);
    } catch (error) {
      await changeOpenPorts(ports, box, without).catch(() => undefined);
      await client.unpublish(box, id).catch(() => undefined);
      throw error;
    }
    const problem = (await nameProblems(ports, box)).get(id);
    if (problem !== undefined) warn(problem);
    return route;
  });
}

/** Publishes the app. If the gateway has this very route of this box already, after a lost answer too, returns it. */
async function newOrOwnRoute(
  client: GatewayClient,
  box: Joined,
  { app, subdomain, port }: PublishRequest,
): Promise<Route> {
  const isOwn = (route: Route) => route.subdomain === subdomain;
  try {
    return await client.publish(box, { app_name: app, subdomain, port });
  } catch (error) {
    if (error instanceof GatewayLost && error.maybeDone) {
      const listed = await client.listRoutes(box).catch(() => null);
      const found = listed?.find(isOwn);
      if (found?.app_name === app && found.port === port) return found;
      const seen = listed === null ? '' : ', and the gateway does not list it';
      throw new TunnelProblem(
        `the answer to the publication of ${subdomain} at ${box.gateway} was lost${seen}; run the command again: it takes over the route if the gateway has it`,
        { cause: error },
      );
    }
    if (!(error instanceof GatewayRefused) || error.status !== 409) throw error;
    const own = (await client.listRoutes(box)).find(isOwn);
    if (own === undefined) throw error;
    if (own.app_name === app && own.port === port) return own;
    throw new TunnelProblem(
      `${error.message}: this box publishes ${own.app_name} (port ${own.port}) at ${own.host}; boxgate tunnel unpublish ${own.host} frees the name`,
      { cause: error },
    );
  }
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
