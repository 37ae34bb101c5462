import { type GatewayClient, GatewayLost, GatewayRefused, type Route } from '../../client/gateway-client.ts';
import type { HostAnswer } from '../../lib/network/host-answer.ts';
import { changeJoined, joinedBox } from './joined-box.ts';
import { changeOpenPorts } from './open-ports.ts';
import { type AddressPorts, type Joined, type NewLogin, type OpenPort, TunnelProblem } from './ports.ts';
import { asksForLogin, type HostState, hostState } from './rules/host-state.ts';
import { type Access, accessOf, hasAccess } from './rules/route-access.ts';
import { nameProblems, verifyPorts } from './verify-ports.ts';

export type PublishRequest = {
  app: string;
  subdomain: string;
  port: number;
  appDirectory: OpenPort['appDirectory'];
  /** The address at which the gateway's proxy is asked for the published host; `null` means the published address. */
  proxy: string | null;
  /** The name of a login, whose password is new at each publication. Without one, the login of before stays. */
  login?: string | null;
  /** Addresses and networks, and paths without a login. Without them, those of before stay. */
  allow?: string[] | null;
  openPaths?: string[] | null;
};

/** `password` is the one of a new login. */
export type Published = Route & HostState & { password?: string };

const loopback = '127.0.0.1';

/** How long the proxy may take: Traefik reads its directory within seconds, a certificate takes a few more. */
const waitMs = 15_000;
const askEveryMs = 500;

/**
 * Publishes an app, opens its port to the gateway if a container of the app has it, and waits until the proxy serves
 * the host, at most 15 s, unless the port takes only HTTPS. Refuses the box's own port. Withdraws the route if the port
 * cannot be opened, or if the gateway does not know the access rules.
 */
export async function publish(ports: AddressPorts, request: PublishRequest): Promise<Published> {
  const box = joinedBox(ports.files);
  await refuseOwnPort(ports, box, request);
  const login = request.login ? await ports.newLogin(request.login) : null;
  const route = await publishRoute(ports, request, login);
  const address = whereToAsk(ports, box);
  await warnWithoutListener(ports, address, request.port);
  const onlyHttps = await httpsOnlyProblem(ports, address, request);
  const state: HostState =
    onlyHttps === null
      ? await stateOfHost(ports, route, request.proxy, login)
      : { proxy: 'only_https', proxy_problem: onlyHttps };
  if (state.proxy === 'answers') await warnOfClosedPaths(ports, route, request.proxy);
  return { ...route, ...state, ...(login === null ? {} : { password: login.password }) };
}

/** The box's address in the tunnel if that is up. */
function whereToAsk({ wireGuard }: AddressPorts, { address }: Joined): string {
  return wireGuard.interfaceWith(address) === null ? loopback : address;
}

async function refuseOwnPort(ports: AddressPorts, box: Joined, { port }: PublishRequest): Promise<void> {
  if (port === (await ports.boxPort())) throw ownPort(port, "the box's management page");
  for (const address of new Set([loopback, whereToAsk(ports, box)])) {
    if (await ports.localPorts.isBoxgate(address, port)) throw ownPort(port, 'a server of boxgate, or shows its page');
  }
}

function ownPort(port: number, what: string): TunnelProblem {
  return new TunnelProblem(
    `port ${port} is ${what}, which has no login: everybody could use it. Publish the port of an app`,
  );
}

async function warnWithoutListener({ localPorts, warn }: AddressPorts, address: string, port: number): Promise<void> {
  if (await localPorts.listens(address, port)) return;
  const isLocal = address !== loopback && (await localPorts.listens(loopback, port));
  warn(
    isLocal
      ? `port ${port} of this box listens only on 127.0.0.1: the gateway does not reach it until it listens on all addresses (boxgate box https setup opens it, if --close-ports closed it)`
      : `nothing listens on port ${port} of this box: visitors get an error until something does`,
  );
}

function namedAccess({ allow, openPaths }: PublishRequest, login: NewLogin | null): Access {
  return {
    ...(login === null ? {} : { login: login.login, password_hash: login.hash }),
    ...(allow ? { allow } : {}),
    ...(openPaths ? { open_paths: openPaths } : {}),
  };
}

function publishRoute(ports: AddressPorts, request: PublishRequest, login: NewLogin | null): Promise<Route> {
  const { files, warn } = ports;
  const { port, appDirectory } = request;
  return changeJoined(ports, async (box) => {
    const client = ports.client(box.gateway);
    const known = files.openPorts.read().find((row) => row.host.split('.', 1)[0] === request.subdomain);
    const access = accessOf(known?.access, namedAccess(request, login));
    const route = await newOrOwnRoute(client, box, request, access);
    const { id, host } = route;
    // A row of the same host is of a route that the gateway has lost, after a restore for example.
    const without = (rows: readonly OpenPort[]) => rows.filter((row) => row.id !== id && row.host !== host);
    if (!hasAccess(route, access)) return withdrawOpenRoute(ports, box, route, without);
    // Opens the requested port, because the gateway's answer could name another one.
    const opened: OpenPort = {
      ...{ id, host, port, appDirectory, service: null, containerPort: null },
      ...{ isClosed: false, shut: appDirectory === null ? null : 'unverified', movesTo: null, isTaken: false },
      ...(access === undefined ? {} : { access }),
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

/** The gateway does not know access rules, and published the route for everybody. */
async function withdrawOpenRoute(
  ports: AddressPorts,
  box: Joined,
  { id, host }: Route,
  without: (rows: readonly OpenPort[]) => OpenPort[],
): Promise<never> {
  const what = `the gateway at ${box.gateway} does not know --login, --allow and --open-path: it would let everybody open ${host}`;
  const results = await Promise.allSettled([
    changeOpenPorts(ports, box, without),
    ports.client(box.gateway).unpublish(box, id),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) {
    throw new TunnelProblem(`${what}, so it is not published any more. Its operator has to update the gateway`);
  }
  throw new TunnelProblem(
    `${what}, and it could not be withdrawn: ${failed.reason.message}; run boxgate tunnel unpublish ${host} at once`,
    { cause: failed.reason },
  );
}

/** Publishes the app. If the gateway has this very route of this box already, after a lost answer too, returns it. */
async function newOrOwnRoute(
  client: GatewayClient,
  box: Joined,
  { app, subdomain, port }: PublishRequest,
  access: Access | undefined,
): Promise<Route> {
  const isOwn = (route: Route) => route.subdomain === subdomain;
  const wanted = { app_name: app, subdomain, port, ...(access === undefined ? {} : { access }) };
  try {
    return await client.publish(box, wanted);
  } catch (error) {
    if (error instanceof GatewayLost && error.maybeDone) {
      const listed = await client.listRoutes(box).catch(() => null);
      const found = listed?.find(isOwn);
      if (found?.app_name === app && found.port === port) {
        // The route may still have the rules before; with rules, a publication may be repeated.
        return access === undefined || !hasAccess(found, access) ? found : await client.publish(box, wanted);
      }
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

/** Asks the proxy for the published host, with a new login, until an answer is final or the time is up. */
async function stateOfHost(
  ports: AddressPorts,
  { host }: Route,
  proxy: string | null,
  login: NewLogin | null,
): Promise<HostState> {
  const auth = login === null ? {} : { auth: `${login.login}:${login.password}` };
  const read = (answer: HostAnswer) => hostState(answer, login !== null);
  const { isFinal: _, ...state } = read(await askUntil(ports, host, proxy, auth, (answer) => read(answer).isFinal));
  return state;
}

/** Version 2 of Traefik serves no open paths. */
async function warnOfClosedPaths(ports: AddressPorts, { host, access }: Route, proxy: string | null): Promise<void> {
  const [path] = access?.open_paths ?? [];
  if (path === undefined) return;
  const isOpen = (answer: HostAnswer) => !asksForLogin(answer);
  if (isOpen(await askUntil(ports, host, proxy, { path: path.replace(/\*$/, '') }, isOpen))) return;
  ports.warn(
    `visitors are asked for a login at ${path} too, by the app itself or by the gateway's proxy: only Traefik 3 leaves paths open. Ask the gateway's operator`,
  );
}

/** The last answer: the first that is final, or the one at which the time is up. */
async function askUntil(
  { probe, now, pause }: AddressPorts,
  host: string,
  proxy: string | null,
  options: { auth?: string; path?: string },
  isFinal: (answer: HostAnswer) => boolean,
): Promise<HostAnswer> {
  const end = now().getTime() + waitMs;
  for (;;) {
    const timeoutMs = Math.max(end - now().getTime(), askEveryMs);
    const answer = await probe(proxy ?? `https://${host}`, host, { timeoutMs, ...options });
    if (isFinal(answer) || now().getTime() + askEveryMs >= end) return answer;
    await pause(askEveryMs);
  }
}

/**
 * Why visitors cannot use the port of an app, if it takes only HTTPS: the gateway's proxy sends it plain HTTP. Names a port
 * of the same app that takes HTTP. `null` for every other port.
 * @param address - where the ports of this box are asked
 */
async function httpsOnlyProblem(
  { localPorts, containers, appDirectories }: Pick<AddressPorts, 'localPorts' | 'containers' | 'appDirectories'>,
  address: string,
  { port, appDirectory }: { port: number; appDirectory: string | null },
): Promise<string | null> {
  if ((await localPorts.speaks(address, port)) !== 'https') return null;
  const published = ((await containers()) ?? [])
    .filter(({ workingDirectory }) => appDirectories.isSame(appDirectory, workingDirectory))
    .flatMap((container) => container.published);
  const others = new Set(published.filter(({ protocol }) => protocol === 'tcp').map(({ hostPort }) => hostPort));
  others.delete(port);
  const found = `port ${port} takes only HTTPS, and the gateway's proxy sends it plain HTTP`;
  for (const other of others) {
    if ((await localPorts.speaks(address, other)) === 'http') {
      return `${found}: unpublish it, and publish the app's port ${other} with --port ${other}, which takes HTTP`;
    }
  }
  return `${found}: switch HTTPS off in the app's own settings, or let it publish a port that takes HTTP`;
}

/**
 * Closes the port, then withdraws the route. A failure of one of these steps does not prevent the other.
 * @param idOrHost - a route's id, or the host that it answers under
 */
export function unpublish(ports: AddressPorts, idOrHost: string): Promise<{ id: string; host: string }> {
  const { files } = ports;
  return changeJoined(ports, async (box) => {
    const isMeant = ({ id, host }: { id: string; host: string }) => id === idOrHost || host === idOrHost.toLowerCase();
    const closed = files.openPorts.read().find(isMeant);
    // A faulty gateway may have given two routes the same id or host.
    const closeAll = (rows: readonly OpenPort[]) => rows.filter((row) => !isMeant(row));
    const [closing] = await Promise.allSettled([changeOpenPorts(ports, box, closeAll)]);
    const client = ports.client(box.gateway);
    const listed = (await client.listRoutes(box)).find(isMeant);
    if (listed !== undefined) await client.unpublish(box, listed.id);
    if (closing.status === 'rejected') {
      const text = `the gateway has no route ${idOrHost} any more, but its port may still be open on this box`;
      throw new TunnelProblem(`${text}: ${closing.reason.message}; boxgate tunnel firewall closes it`, {
        cause: closing.reason,
      });
    }
    const gone = listed ?? closed;
    if (gone === undefined) {
      throw new TunnelProblem(
        `this box has no route ${JSON.stringify(idOrHost)}; boxgate tunnel list shows ids and hosts`,
      );
    }
    return gone;
  });
}
