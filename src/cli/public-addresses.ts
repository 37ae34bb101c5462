import { shownAccess } from '../box/addresses/rules/route-access.ts';
import { refuse } from '../box/api/refusals.ts';
import type { BoxSettings } from '../box/box-settings.ts';
import type { PublicAddresses, PublicRoute } from '../box/public-addresses.ts';
import { CommandFailed, runCommand } from '../lib/process/run-command.ts';
import { shownName } from '../lib/shown-text.ts';
import { appDirectory, makeTunnel as makeOwnTunnel, ownPorts, portOfApp } from './make-tunnel.ts';
import { gatewayAddress } from './settings/parsers.ts';
import { accessOptions } from './settings/tunnel-settings.ts';

const units = ['boxgate-tunnel.service', 'boxgate-heartbeat.timer'];

const startTunnel = async () => {
  await runCommand(['systemctl', 'enable', '--now', ...units], { cwd: '/', timeoutMs: 60_000 });
};

/**
 * The public addresses of a box, for the console. A failure of the tunnel is the refusal `tunnelFailed`. A gateway's
 * texts have no control characters.
 * @param replaced - only for tests
 */
export function makePublicAddresses(
  settings: BoxSettings,
  { makeTunnel = makeOwnTunnel, start = startTunnel, portOf = portOfApp } = {},
): PublicAddresses {
  const warnings: string[] = [];
  const tunnel = () => ({ ...makeTunnel(settings.stateDir), warn: (text: string) => warnings.push(text) });
  const withWarnings = (text: string) => [text, ...warnings.splice(0)].map(shownName).join('\n');
  return {
    show: () =>
      orRefuse(async () => {
        const ports = tunnel();
        const { files } = ports;
        if (files.read() === null) return null;
        const { joinedBox } = await import('../box/addresses/tunnel.ts');
        const box = joinedBox(files);
        const { tunnelStatus } = await import('../box/addresses/status.ts');
        const [status, listed] = await Promise.all([
          tunnelStatus(ports),
          ports
            .client(box.gateway)
            .listRoutes(box)
            .catch(() => null),
        ]);
        const known = files.openPorts.read();
        const routes: readonly Listed[] = listed ?? known.map((row) => ({ ...row, app_name: '' }));
        return {
          gateway: shownName(box.gateway),
          boxName: shownName(box.boxName),
          works: status.tunnel_problem === null && status.problem === null,
          handshakeAt: status.handshake_at,
          problems: [status.tunnel_problem, status.problem, ...status.name_problems].flatMap((text) =>
            text === null ? [] : [shownName(text)],
          ),
          routes: routes.map(shownRoute),
        };
      }),
    ofApp: (app) =>
      orRefuse(async () => {
        const { files } = tunnel();
        if (files.read() === null) return null;
        const { isSameDirectory } = await import('../box/addresses/verify-ports.ts');
        const directory = appDirectory(settings, app) ?? '';
        const own = files.openPorts.read().filter((row) => isSameDirectory(row.appDirectory, directory));
        return own.filter(({ isClosed }) => !isClosed).map((row) => shownRoute({ ...row, app_name: app }));
      }),
    join: ({ gateway, name, token }) =>
      orRefuse(async () => {
        const { join } = await import('../box/addresses/join.ts');
        const address = gatewayAddress(gateway);
        const { boxId } = await join(tunnel(), { gateway: address, boxName: name, registrationToken: token });
        const joined = `this box has joined ${address} as ${boxId}`;
        try {
          await start();
          return { ok: true, text: withWarnings(joined) };
        } catch (error) {
          if (!(error instanceof CommandFailed)) throw error;
          const text = `${joined}, but the tunnel does not start; run: sudo systemctl enable --now ${units.join(' ')}`;
          return { ok: false, text: withWarnings(text) };
        }
      }),
    publish: ({ app, subdomain, port: wanted, ...rules }) =>
      orRefuse(async () => {
        const { publish } = await import('../box/addresses/publish.ts');
        const ports = tunnel();
        const access = accessOptions(rules);
        const port = wanted ?? (await portOf(settings, app, ports.warn));
        const request = { app, subdomain, port, proxy: null, appDirectory: appDirectory(settings, app), ...access };
        const done = await publish(ports, { ...request, ownPorts: ownPorts(settings) });
        const { url, proxy_problem: problem, password = '' } = done;
        const answers = problem === null ? 'and answers' : `but does not answer yet: ${problem}`;
        return { ok: problem === null, text: withWarnings(`${app} is published at ${url} ${answers}`), password };
      }),
    withdraw: (host) =>
      orRefuse(async () => {
        const { unpublish } = await import('../box/addresses/routes.ts');
        await unpublish(tunnel(), host);
        return { ok: true, text: withWarnings(`${host} is not published any more`) };
      }),
  };
}

type Listed = { host: string; port: number; app_name: string; access?: unknown };

function shownRoute({ host, port, app_name: app, access }: Listed): PublicRoute {
  const shown = shownName(host);
  return { host: shown, url: `https://${shown}`, app: shownName(app), port, access: shownName(shownAccess(access)) };
}

async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    refuse('tunnelFailed', { reason: shownName((error as Error).message) });
  }
}
