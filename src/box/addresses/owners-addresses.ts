import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import { join } from './join.ts';
import { type AppsOfBox, placeOfApp } from './place-of-app.ts';
import { type AddressPorts, type OpenPort, type OwnersAddresses, type PublicRoute, TunnelProblem } from './ports.ts';
import { publish } from './publish.ts';
import { unpublish } from './routes.ts';
import { gatewayUrl, loginName, networks, openPaths as pathsWithoutLogin } from './rules/given-values.ts';
import { shownAccess } from './rules/route-access.ts';
import { examineTunnel } from './status.ts';

const startCommand = 'sudo systemctl enable --now boxgate-tunnel.service boxgate-heartbeat.timer';

/** @param usualPort - the port of the management page while the box's server does not run */
export function ownersAddresses(ports: AddressPorts, box: AppsOfBox, usualPort: number): OwnersAddresses {
  const { files } = ports;
  return {
    async problems() {
      try {
        if (files.read() === null) return null;
        const { tunnel, tunnel_problem: own, problem, name_problems: names } = (await examineTunnel(ports)).status;
        return shownProblems([own === null ? null : `the tunnel is ${tunnel}: ${own}`, problem, ...names]);
      } catch (error) {
        return [reasonOf(error)];
      }
    },
    show: () =>
      orRefuse(async () => {
        if (files.read() === null) return null;
        const { status, routes } = await examineTunnel(ports);
        const { tunnel_problem: own, problem, name_problems: names } = status;
        return {
          gateway: shownName(status.gateway),
          boxName: shownName(status.box_name),
          works: own === null && problem === null,
          handshakeAt: status.handshake_at,
          problems: shownProblems([own, problem, ...names]),
          routes: routes?.map(shownRoute) ?? files.openPorts.read().map((row) => shownRoute({ ...row, app_name: '' })),
        };
      }),
    ofApp: (app) =>
      orRefuse(async () => {
        if (files.read() === null) return null;
        const directory = box.apps.one('installed', app)?.path ?? '';
        const isOwn = ({ isClosed, appDirectory }: OpenPort) =>
          !isClosed && ports.appDirectories.isSame(appDirectory, directory);
        return files.openPorts.read().flatMap((row) => (isOwn(row) ? [shownRoute({ ...row, app_name: app })] : []));
      }),
    join: ({ gateway, name, token }) =>
      withWarnings(ports, async (noting) => {
        const address = gatewayUrl(gateway);
        const { boxId } = await join(noting, { gateway: address, boxName: name, registrationToken: token });
        const joined = `this box has joined ${address} as ${boxId}`;
        const failed = { ok: false, text: `${joined}, but the tunnel does not start; run: ${startCommand}` };
        const done = noting.wireGuard.bringUp().then(() => ({ ok: true, text: joined }));
        return done.catch(ignore(TunnelProblem, () => failed));
      }),
    publish: ({ app, subdomain, port, ...rules }) =>
      withWarnings(ports, async (noting) => {
        const access = {
          login: rules.login === null ? null : loginName(rules.login),
          allow: rules.allow === null ? null : networks([rules.allow]),
          openPaths: rules.openPaths === null ? null : pathsWithoutLogin([rules.openPaths]),
        };
        const place = await placeOfApp(box, { app, port, usualPort }, noting.warn);
        const done = await publish(noting, { app, subdomain, proxy: null, ...place, ...access });
        const { url, proxy_problem: problem, password = '' } = done;
        const answers = problem === null ? 'and answers' : `but does not answer yet: ${problem}`;
        return { ok: problem === null, text: `${app} is published at ${url} ${answers}`, password };
      }),
    withdraw: (host) =>
      withWarnings(ports, async (noting) => {
        await unpublish(noting, host);
        return { ok: true, text: `${host} is not published any more` };
      }),
  };
}

/** Runs a change that the owner asked for. Its warnings become lines of its text. */
function withWarnings<Done extends { text: string }>(
  ports: AddressPorts,
  run: (noting: AddressPorts) => Promise<Done>,
) {
  return orRefuse(async () => {
    const warnings: string[] = [];
    const done = await run({ ...ports, warn: (text) => warnings.push(text) });
    return { ...done, text: [done.text, ...warnings].map(shownName).join('\n') };
  });
}

async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    refuse('tunnelFailed', { reason: reasonOf(error) });
  }
}

function reasonOf(error: unknown): string {
  return shownName((error as Error).message);
}

function shownProblems(texts: readonly (string | null)[]): string[] {
  return texts.filter((text) => text !== null).map(shownName);
}

type Listed = { host: string; port: number; app_name: string; access?: unknown };

function shownRoute({ host, port, app_name: app, access }: Listed): PublicRoute {
  const shown = shownName(host);
  return { host: shown, url: `https://${shown}`, app: shownName(app), port, access: shownName(shownAccess(access)) };
}
