import type { CommandResult } from '../../lib/command-result.ts';
import { probeHost } from '../../lib/network/probe-host.ts';
import { shownName } from '../../lib/shown-text.ts';
import { makeNotifyFiles } from '../../notify/notify-files.ts';
import { statusLines, statusOf } from '../../notify/notify-status.ts';
import { shownAddress } from '../../notify/rules/notify-request.ts';
import { sendMessage } from '../../notify/send-message.ts';
import { askThroughTunnel } from '../adapters/through-tunnel.ts';
import { roomProblem, storeProblem } from '../adapters/traefik/disk-room.ts';
import { unmanagedFiles } from '../adapters/traefik/invalid-files.ts';
import { secondsUntilCut } from '../adapters/traefik/slow-request.ts';
import { readProxyState } from '../adapters/traefik/traefik-api.ts';
import { viewRouteFiles } from '../adapters/traefik/traefik-files.ts';
import { tunnelFirewall } from '../adapters/tunnel-firewall.ts';
import { readOnlySession } from '../adapters/wg-easy/session-keeper.ts';
import { makeTunnelManager, ownNetwork } from '../adapters/wg-easy/tunnel-manager.ts';
import { type GatewaySettings, usualProxy } from '../gateway-settings.ts';
import type { StoreView } from '../ports.ts';
import { viewStore } from '../store/open-store.ts';
import { type DoctorPorts, examine, type Report } from './doctor.ts';
import type { Finding } from './rules/diagnosis.ts';
import { tellFindings } from './tell-findings.ts';

/** The proxy answers 504 when a box takes no connection for 8 s (`dialTimeout` of the route files). */
const patienceMs = 12_000;

/**
 * `gateway doctor`: checks everything between boxes and proxy and changes nothing. The gateway may be running.
 * @param proxy - address of the proxy's entry point
 * @param warn - gets what could not be checked
 * @param counts - whether a finding is a failure; any other one is only shown
 */
export async function doctorCommand(
  settings: GatewaySettings,
  proxy: string,
  warn: (text: string) => void,
  counts: (finding: Finding) => boolean = () => true,
): Promise<CommandResult> {
  const report = await examineGateway(settings, proxy, warn);
  return { status: report.findings.some(counts) ? 1 : 0, text: reportText(report) };
}

/** `gateway notify changes`: examines as the doctor does, and sends what has changed since the last time. */
export async function notifyCommand(
  settings: GatewaySettings,
  address: string,
  warn: (text: string) => void,
): Promise<CommandResult> {
  const report = await examineGateway(settings, usualProxy, warn);
  const problem = await tellFindings(report.findings, {
    log: makeNotifyFiles(settings.stateDir, address).log,
    send: (text) => sendMessage(address, text),
    now: () => new Date(),
  });
  const end = problem === null ? '' : `\n${shownAddress(address)} ${problem}`;
  return { status: problem === null ? 0 : 1, text: `${reportText(report)}${end}` };
}

export function notifyStatus(stateDir: string, address: string): CommandResult {
  const { log } = makeNotifyFiles(stateDir, address);
  return statusLines(statusOf({ address, isKept: false }, log.load(), new Date()), 'GATEWAY_NOTIFY');
}

export async function notifyTest(address: string): Promise<CommandResult> {
  const text = 'This is a test. Messages about this gateway arrive here.';
  const { isSent, answer } = await sendMessage(address, text);
  return { status: isSent ? 0 : 1, text: `${shownAddress(address)} ${answer}` };
}

async function examineGateway(settings: GatewaySettings, proxy: string, warn: (text: string) => void): Promise<Report> {
  const store = await viewStore(settings.store);
  try {
    const report = await examine(doctorPorts(settings, store, proxy, warn), {
      ...settings,
      network: settings.tunnelNetwork ?? ownNetwork(),
    });
    for (const note of report.notes) warn(note);
    return report;
  } finally {
    await store.close();
  }
}

function doctorPorts(
  settings: GatewaySettings,
  store: StoreView,
  proxy: string,
  warn: (text: string) => void,
): DoctorPorts {
  const { tunnelUrl: url, tunnelUsername: username, tunnelPassword: password } = settings;
  return {
    store,
    // Uses the gateway's session, and logs in only if it is not valid. Reading needs no lock.
    tunnelManager: makeTunnelManager({
      url,
      username,
      password,
      store: {
        ...readOnlySession(store),
        exclusively: (work) => work(),
      },
    }),
    routeFiles: viewRouteFiles(settings.routesDir),
    otherFiles: () => unmanagedFiles(settings.routesDir),
    firewall: () => tunnelFirewall(),
    storeProblem: () => storeProblem(settings.store),
    routesProblem: () => roomProblem(settings.routesDir),
    probe: (host, path = '/') => probeHost(proxy, host, { path, timeoutMs: patienceMs }),
    askThroughTunnel: (address, port, host) => askThroughTunnel(address, port, host, patienceMs),
    proxyState: () => readProxyState(settings.proxyApi, settings.entrypoint),
    secondsUntilCut: (host) => {
      warn(
        `Traefik's API does not answer at ${settings.proxyApi} (--proxy-api): looking for a minute whether it cuts slow requests; what other routers take is not looked at`,
      );
      return secondsUntilCut(proxy, host);
    },
    now: Date.now,
  };
}

/** The findings, a line each, and what was looked at. */
export function reportText({ findings, boxes, routes, unasked }: Report): string {
  const looked = `looked at ${counted(boxes, 'box', 'boxes')} and ${counted(routes, 'route', 'routes')}${unaskedText(unasked)}`;
  if (findings.length === 0) return `${looked}: everything${unasked.length === 0 ? '' : ' else'} matches`;
  return [
    ...findings.map(({ about, text }) => shownName(`${about}: ${text}`)),
    `${looked}: ${findings.length} found`,
  ].join('\n');
}

function unaskedText(unasked: readonly string[]): string {
  if (unasked.length === 0) return '';
  const [shown, more] = [unasked.slice(0, 3).join(', '), unasked.length > 3 ? ', …' : ''];
  return `, and did not ask the proxy for ${unasked.length} of their hosts (${shown}${more})`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
