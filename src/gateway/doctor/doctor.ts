import type { CommandResult } from '../../lib/command-result.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { probeHost } from '../../lib/network/probe-host.ts';
import { shownName } from '../../lib/shown-text.ts';
import { askThroughTunnel } from '../adapters/through-tunnel.ts';
import { roomProblem, storeProblem } from '../adapters/traefik/disk-room.ts';
import { unmanagedFiles } from '../adapters/traefik/invalid-files.ts';
import { secondsUntilCut } from '../adapters/traefik/slow-request.ts';
import { readProxyState } from '../adapters/traefik/traefik-api.ts';
import { viewRouteFiles } from '../adapters/traefik/traefik-files.ts';
import { tunnelFirewall } from '../adapters/tunnel-firewall.ts';
import { makeTunnelManager, ownNetwork } from '../adapters/wg-easy/tunnel-manager.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import { type PublishedBox, RouteFilesFailed, StoreFailed, type StoreView, TunnelFailed } from '../ports.ts';
import { isReserved } from '../rules/reserved-subdomain.ts';
import { type RouteFileOptions, routeFileText } from '../rules/route-file.ts';
import { hostOf } from '../rules/route-view.ts';
import type { Network } from '../rules/tunnel-config.ts';
import { viewStore } from '../store/open-store.ts';
import { certificateFindings } from './rules/certificate-findings.ts';
import { behindLogin, diagnose, type Finding, type HostAnswer } from './rules/diagnosis.ts';
import { cutFinding, ownAddressFindings, proxyFindings } from './rules/proxy-diagnosis.ts';
import { firewallReport } from './rules/tunnel-firewall.ts';

/** What was found, the number of checked boxes and routes, hosts that were not asked, and what could not be checked. */
export type Report = { findings: Finding[]; boxes: number; routes: number; unasked: string[]; notes: string[] };

/** What the doctor looks at. Nothing of it changes anything. */
export type Sights = ReturnType<typeof sightsOf>;

/** The proxy answers 504 when a box takes no connection for 8 s (`dialTimeout` of the route files). */
const patienceMs = 12_000;
/** Limits the requests to the proxy, so that the command ends in reasonable time. */
const mostHosts = 200;
const hostsAtOnce = 40;

/**
 * `gateway doctor`: checks everything between boxes and proxy. The gateway may be running.
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

export async function examineGateway(
  settings: GatewaySettings,
  proxy: string,
  warn: (text: string) => void,
): Promise<Report> {
  const store = await viewStore(settings.store);
  try {
    const network = settings.tunnelNetwork ?? ownNetwork();
    const report = await examine(sightsOf(settings, store, proxy, warn), { ...settings, network });
    for (const note of report.notes) warn(note);
    return report;
  } finally {
    await store.close();
  }
}

function sightsOf(settings: GatewaySettings, store: StoreView, proxy: string, warn: (text: string) => void) {
  const { tunnelUrl: url, tunnelUsername: username, tunnelPassword: password, routesDir, proxyApi } = settings;
  // Uses the gateway's session, logs in only if it is not valid, and then keeps no session. Reading needs no lock. It
  // still waits for a login of another process. choice/gateway/332
  const ignored = async () => undefined;
  const exclusively = <Result>(work: () => Promise<Result>) => work();
  const session = { ...store, writeSession: ignored, noteLogin: ignored, exclusively };
  const { listPeers, findMistake } = makeTunnelManager({ url, username, password, store: session });
  return {
    store,
    listPeers,
    findMistake,
    routeFiles: viewRouteFiles(routesDir),
    otherFiles: () => unmanagedFiles(routesDir),
    firewall: () => tunnelFirewall(),
    storeProblem: () => storeProblem(settings.store),
    routesProblem: () => roomProblem(routesDir),
    probe: (host: string, path = '/') => probeHost(proxy, host, { path, timeoutMs: patienceMs }),
    askThroughTunnel: (address: string, port: number, host: string) =>
      askThroughTunnel(address, port, host, patienceMs),
    proxyState: () => readProxyState(proxyApi, settings.entrypoint),
    secondsUntilCut: (host: string) => {
      warn(
        `Traefik's API does not answer at ${proxyApi} (--proxy-api): looking for a minute whether it cuts slow requests; what other routers take is not looked at`,
      );
      return secondsUntilCut(proxy, host);
    },
  };
}

type Options = RouteFileOptions & Pick<GatewaySettings, 'reservedSubdomains'> & { network: Network };

/** Checks everything between the boxes and the proxy, and reports what does not match. */
export async function examine(sights: Sights, options: Options): Promise<Report> {
  const { store, routeFiles } = sights;
  const { domain, entrypoint, network } = options;
  const now = Date.now();
  const failures: Finding[] = [];
  const ownHost = hostOf('gateway', domain);
  const proxy = await sights.proxyState();
  const cut = proxy === null ? sights.secondsUntilCut(ownHost) : null;
  const boxes = await store.listBoxes();
  const published: PublishedBox[] = [];
  for await (const box of store.publishedBoxes()) published.push(box);
  const peers = await sights.listPeers().catch(intoFindings(failures, 'the tunnel manager'));
  // A manager that does not answer is a finding already, and so is a directory that cannot be read.
  const mistake = peers === null ? null : await sights.findMistake().catch(() => null);
  const files = await readFiles(routeFiles).catch(intoFindings(failures, 'the routes directory'));
  const invalidFiles = await routeFiles.invalidFiles().catch(() => []);
  const suspects = await sights.otherFiles().catch(() => []);
  const own = await sights.probe(ownHost, '/healthz');
  const { answers, unasked, unseen } = await askHosts(sights, published, domain, own);
  const expectedFiles = new Map(published.map((box) => [box.boxId, routeFileText(box, options) ?? '']));
  const observed = {
    ...{ now, network, boxes, peers, expectedFiles, answers },
    removedBoxes: await store.heardRemovedBoxes(),
    pendingDeletions: await store.duePeers(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    files: files ?? expectedFiles,
    hasProxyState: proxy !== null,
    reserved: new Map(published.map((box) => [box.boxId, reservedHosts(box, options)])),
  };
  const inFiles = published
    .filter(({ boxId }) => observed.files.get(boxId) === expectedFiles.get(boxId))
    .flatMap(({ routes }) => routes.map((route) => ({ route, host: hostOf(route.subdomain, domain) })));
  const seconds = await cut;
  const firewall = firewallReport(await sights.firewall());
  const findings = [
    ...firewall.findings,
    ...problemOf('store', 'the store', await sights.storeProblem()),
    ...problemOf('routes directory', 'the routes directory', await sights.routesProblem()),
    ...problemOf('mistake', 'the tunnel manager', mistake),
    ...failures,
    ...invalidFiles.map(({ name, reason }) => ({
      topic: `unreadable file ${name}`,
      about: `file ${shownName(name)}`,
      text: `the proxy refuses the whole directory because of it: ${reason}`,
    })),
    ...ownAddressFindings(own),
    ...certificateFindings([own, ...[...answers.values()].flat()], now),
    ...(proxy === null ? [] : proxyFindings(proxy, { entrypoint, published: inFiles, suspects })),
    ...(seconds === null ? [] : [cutFinding(`${seconds} s`, entrypoint)]),
    ...diagnose(observed),
  ];
  const routes = published.reduce((sum, box) => sum + box.routes.length, 0);
  return { findings, boxes: boxes.length, routes, unasked, notes: [...firewall.notes, ...unseenNote(unseen)] };
}

function problemOf(topic: string, about: string, text: string | null): Finding[] {
  return text === null ? [] : [{ topic, about, text }];
}

/** Makes a finding of a known failure, so that the other checks continue without its result. */
function intoFindings(failures: Finding[], about: string): (error: unknown) => null {
  return (error) => {
    const isKnown = error instanceof TunnelFailed || error instanceof RouteFilesFailed || error instanceof StoreFailed;
    if (!isKnown) throw error;
    failures.push({ topic: about, about, text: error.message });
    return null;
  };
}

async function readFiles(routeFiles: Sights['routeFiles']): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const boxId of await routeFiles.list()) {
    const text = await routeFiles.read(boxId);
    if (text !== null) texts.set(boxId, text);
  }
  return texts;
}

/** @param own - the answer for the gateway's own address: without one, a late answer for a host is the proxy's fault too */
async function askHosts(sights: Sights, published: readonly PublishedBox[], domain: string, own: HostAnswer) {
  const all = published.flatMap(({ boxId, address, routes }) =>
    routes.map((route) => ({ boxId, address, route, host: hostOf(route.subdomain, domain) })),
  );
  const unseen: string[] = [];
  const asked = await mapConcurrently(all.slice(0, mostHosts), hostsAtOnce, async ({ boxId, address, route, host }) => {
    const answer = await sights.probe(host);
    const isLate = answer.isLate && own.problem === null;
    const asksForLogin = route.access !== undefined && [401, 403].includes(answer.status);
    const app = asksForLogin ? await sights.askThroughTunnel(address, route.port, host) : undefined;
    if (app === null) unseen.push(host);
    return { boxId, answer: app ? behindLogin(answer, app) : { ...answer, isLate } };
  });
  const answers = new Map(
    [...Map.groupBy(asked, ({ boxId }) => boxId)].map(([id, list]) => [id, list.map(({ answer }) => answer)]),
  );
  return { answers, unseen, unasked: all.slice(mostHosts).map(({ host }) => host) };
}

function unseenNote([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const hosts = others.length === 0 ? first : `${first} and ${others.length} more`;
  return [
    `this machine has no address in the network of the tunnels, so nobody asked the app behind the login of ${hosts}`,
  ];
}

function reservedHosts({ routes }: PublishedBox, { domain, reservedSubdomains }: Options): string[] {
  return routes
    .filter(({ subdomain }) => isReserved(subdomain, reservedSubdomains))
    .map(({ subdomain }) => hostOf(subdomain, domain));
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
