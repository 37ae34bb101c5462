import { heartbeat } from '../../box/addresses/follow-apps.ts';
import { makeTunnel } from '../../box/addresses/make-tunnel.ts';
import { placeOfApp } from '../../box/addresses/place-of-app.ts';
import type { AddressPorts } from '../../box/addresses/ports.ts';
import { publish, unpublish } from '../../box/addresses/publish.ts';
import { join, leave, rotate } from '../../box/addresses/registration.ts';
import { gatewayUrl, loginName, networks, openPaths } from '../../box/addresses/rules/given-values.ts';
import type { HostState } from '../../box/addresses/rules/host-state.ts';
import { shownAccess } from '../../box/addresses/rules/route-access.ts';
import { age } from '../../box/addresses/rules/tunnel-state.ts';
import { examineTunnel, listRoutes } from '../../box/addresses/status.ts';
import { loadFirewall } from '../../box/addresses/verify-ports.ts';
import { shownJson, shownName } from '../../lib/shown-text.ts';
import { boxOf } from '../box-of.ts';
import { type Call, type Command, command, print } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { httpAddress, isOn, matching, text, wholeNumber } from '../settings/parsers.ts';
import { listRow, read, readAll, required, row, said, secretRow } from '../settings/setting.ts';

const needed = required(({ flag, variable }) => `${flag} (${variable}) is required`);
const neededToken = required(({ variable }) => `${variable} or ${variable}_FILE is required`);
const boxName = matching(/^.{1,128}$/s, 'a name of 1 to 128 characters');

// biome-ignore format: a setting is a row
const tunnelSettings = {
  stateDir: { ...boxSettings.stateDir, help: 'where the tunnel is kept: the state directory of the box' },
  json: row('--json', 'BOX_TUNNEL_JSON', isOn, false, 'print the result as JSON'),
};

// biome-ignore format: a setting is a row
const joinSettings = {
  registrationToken: secretRow('BOX_REGISTRATION_TOKEN', text, neededToken,
    "the token that the gateway's operator gives out; it is required"),
  gateway: row('--gateway URL', 'BOX_GATEWAY_URL', gatewayUrl, needed, 'the address of the gateway'),
  boxName: row('--name NAME', 'BOX_NAME', boxName, needed, 'what the box is called there, for people'),
  ...tunnelSettings,
};

/** The access rules of a publication; `null` leaves those that there are. */
// biome-ignore format: a setting is a row
const accessSettings = {
  login: row('--login NAME', 'BOX_ROUTE_LOGIN', loginName, said('none, or the one that there is', () => null),
    'ask visitors for a login of this name; its password is made and shown once, and is a new one at each use'),
  allow: listRow('--allow NETWORKS', 'BOX_ROUTE_ALLOW', networks, said('all, or those that there are', () => null),
    'let visitors come only from these addresses and networks, with commas'),
  openPaths: listRow('--open-path PATH', 'BOX_ROUTE_OPEN_PATHS', openPaths,
    said('none, or those that there are', () => null),
    "a path without login, for the app's own clients; /api/* is everything below /api/"),
};

// biome-ignore format: a setting is a row
const publishSettings = {
  subdomain: row('--subdomain NAME', 'BOX_ROUTE_SUBDOMAIN', text, needed, 'the first label of the public host name'),
  port: row('--port N', 'BOX_ROUTE_PORT', wholeNumber(1, 65535), said('the one that it publishes now', () => null),
    'the port of the app on this box'),
  ...accessSettings,
  proxy: row('--proxy URL', 'BOX_GATEWAY_PROXY', httpAddress, said('the published address', () => null),
    "where to ask the gateway's proxy whether it serves the host"),
  installedApps: boxSettings.installedApps,
  ...tunnelSettings,
};

type Shown = { result: object; lines: readonly string[]; isWell?: boolean };

/** The run of a command whose result is shown as JSON, or as lines for a person. */
function onTunnel(carryOut: (tunnel: AddressPorts, word: string, call: Call) => Promise<Shown>): Command['run'] {
  return async (call) => {
    const { json, stateDir } = readAll(tunnelSettings, call);
    const { result, lines, isWell = true } = await carryOut(makeTunnel(stateDir), call.words[0] ?? '', call);
    // Escapes control characters, because a gateway's texts must not control the terminal.
    if (json) print(shownJson(JSON.stringify(result)));
    else for (const line of lines) print(shownName(line));
    return isWell ? 0 : 1;
  };
}

const joinGateway = onTunnel(async (tunnel, _word, call) => {
  const { gateway, boxId, boxName, address, gatewayEnd } = await join(tunnel, readAll(joinSettings, call));
  const config = tunnel.files.configFile;
  const end = {
    gateway_address: gatewayEnd.address,
    gateway_address_assumed: gatewayEnd.isAssumed,
  };
  return {
    result: { box_id: boxId, box_name: boxName, gateway, address, ...end, config },
    lines: [
      `joined ${gateway} as ${boxId}, address ${address}`,
      `the gateway's end of the tunnel is ${endOfGateway(end)}`,
      `the WireGuard configuration is ${config}; bring the tunnel up with`,
      `  systemctl enable --now boxgate-tunnel.service boxgate-heartbeat.timer`,
      `or, where these units of deploy/ are not installed, with: boxgate tunnel firewall && wg-quick up ${config}`,
    ],
  };
});

const showStatus = onTunnel(async (tunnel) => {
  const { status } = await examineTunnel(tunnel);
  const { tunnel_problem: problem, handshake_at: handshake } = status;
  const known = handshake === null ? '' : `, last handshake ${age(new Date(handshake), tunnel.now())}`;
  return {
    result: status,
    lines: [
      `gateway  ${status.gateway}`,
      `box      ${status.box_id} (${status.box_name})`,
      `tunnel   ${status.address}, ${status.tunnel}${problem === null ? known : `: ${problem}`}`,
      `peer     ${endOfGateway(status)}${status.endpoint === null ? '' : ` at ${status.endpoint}`}`,
      ...(status.mtu === null ? [] : [`packets  of at most ${status.mtu} bytes (MTU)`]),
      `routes   ${status.problem === null ? status.routes : `not known: ${status.problem}`}`,
      ...status.name_problems.map((text) => `name     ${text}`),
    ],
    isWell: status.problem === null && problem === null && status.name_problems.length === 0,
  };
});

const publishApp = onTunnel(async (_tunnel, app, call) => {
  const { json: _json, stateDir, installedApps: _installed, port, ...options } = readAll(publishSettings, call);
  // The flag is the app's port, not that of the box.
  const ofBox = { flags: { ...call.flags, '--port': undefined }, env: call.env };
  const tunnel = makeTunnel(stateDir, read(boxSettings.port, ofBox));
  const place = await placeOfApp(await boxOf(ofBox), app, port, tunnel.warn);
  const route = await publish(tunnel, { app, ...options, ...place });
  const { url, id, access, password, proxy_problem: problem } = route;
  const shown = `${app} (port ${route.port}) is published at ${url}`;
  return {
    result: route,
    lines: [
      problem === null ? `${shown} and answers, id ${id}` : `${shown}, id ${id}; ${notServed(route)}`,
      ...(access === undefined ? [] : [`access: ${shownAccess(access)}`]),
      ...(password === undefined ? [] : [`password: ${password} (shown only now; the same command makes a new one)`]),
    ],
  };
});

const list = onTunnel(async (tunnel) => {
  const routes = await listRoutes(tunnel);
  const lines = routes.map(({ host, app_name: app, port, id, access }) =>
    [host, app, port, id, ...(access === undefined ? [] : [shownAccess(access)])].join('  '),
  );
  return { result: { routes }, lines };
});

const takeBack = onTunnel(async (tunnel, idOrHost) => {
  const { id, host } = await unpublish(tunnel, idOrHost);
  return { result: { id, host }, lines: [`${host} is not published any more`] };
});

const rotateToken = onTunnel(async (tunnel) => {
  const { boxId } = await rotate(tunnel);
  return { result: { box_id: boxId }, lines: [`${boxId} has a new token`] };
});

const leaveGateway = onTunnel(async (tunnel) => {
  const { boxId } = await leave(tunnel);
  return { result: { box_id: boxId }, lines: [`${boxId} has left, and its tunnel is down`] };
});

const closePorts = onTunnel(async (tunnel) => {
  const open = (await loadFirewall(tunnel)).map(({ host, port }) => ({ host, port }));
  return { result: { open }, lines: open.map(({ host, port }) => `port ${port} is open to the gateway, for ${host}`) };
});

const beat = onTunnel(async (tunnel) => {
  const { boxId, withdrawn, moved, lines } = await heartbeat(tunnel);
  return { result: { box_id: boxId, withdrawn, moved, lines }, lines };
});

// biome-ignore format: a command is a row
export const tunnelCommands: readonly Command[] = [
  command('tunnel join', 'register this box at a gateway', joinSettings, joinGateway),
  command('tunnel status',
    'show whether the tunnel carries data (may take 20 s), the gateway takes the token, and names lead to their apps',
    tunnelSettings, showStatus),
  command('tunnel publish APP', 'make an app reachable under a public host name', publishSettings, publishApp),
  command('tunnel list', 'list what this box has published: host, app, port, id', tunnelSettings, list),
  command('tunnel unpublish ID_OR_HOST', 'take a route back', tunnelSettings, takeBack),
  command('tunnel rotate', "replace this box's token by a new one", tunnelSettings, rotateToken),
  command('tunnel leave', 'deregister this box, take its tunnel down and forget it', tunnelSettings, leaveGateway),
  command('tunnel firewall',
    'close every port of this box to the tunnel but those of published apps; boxgate-tunnel.service does it',
    tunnelSettings, closePorts),
  command('tunnel heartbeat', 'tell the gateway that this box is alive, and let public names follow their apps',
    tunnelSettings, beat),
];

function notServed({ proxy, proxy_problem: problem }: HostState): string {
  if (proxy === 'only_https') return `visitors get an error: ${problem}`;
  return proxy === 'no_app'
    ? `the proxy knows the host, but ${problem}. boxgate tunnel status shows whether the tunnel works`
    : `the proxy does not serve it yet (${problem})`;
}

/** The address of the gateway's end of the tunnel, and whether it is only assumed. */
function endOfGateway(end: { gateway_address: string; gateway_address_assumed: boolean }): string {
  const address = end.gateway_address;
  if (!end.gateway_address_assumed) return address;
  return `${address}, which is assumed: the gateway did not name its network. If nobody reaches your apps, ask its operator`;
}
