import { heartbeat } from '../../box/addresses/follow-apps.ts';
import { makeTunnel } from '../../box/addresses/make-tunnel.ts';
import { placeOfApp } from '../../box/addresses/place-of-app.ts';
import type { AddressPorts } from '../../box/addresses/ports.ts';
import { publish, unpublish } from '../../box/addresses/publish.ts';
import { join, leave, rotate } from '../../box/addresses/registration.ts';
import type { HostState } from '../../box/addresses/rules/host-state.ts';
import { shownAccess } from '../../box/addresses/rules/route-access.ts';
import { age } from '../../box/addresses/rules/tunnel-state.ts';
import { examineTunnel, listRoutes } from '../../box/addresses/status.ts';
import { loadFirewall } from '../../box/addresses/verify-ports.ts';
import { shownJson, shownName } from '../../lib/shown-text.ts';
import { boxOf } from '../box-of.ts';
import { type Call, type Command, command, print } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { read, readAll } from '../settings/setting.ts';
import { joinSettings, publishSettings, tunnelSettings } from '../settings/tunnel-settings.ts';

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
