import { mapConcurrently } from '../../lib/map-concurrently.ts';
import { shownName } from '../../lib/shown-text.ts';
import type { GatewaySettings } from '../gateway-settings.ts';
import {
  type PublishedBox,
  type RouteFiles,
  RouteFilesFailed,
  StoreFailed,
  type StoreView,
  TunnelFailed,
  type TunnelManager,
} from '../ports.ts';
import { isReserved } from '../rules/reserved-subdomain.ts';
import { type RouteFileOptions, routeFileText } from '../rules/route-file.ts';
import { hostOf } from '../rules/route-view.ts';
import type { Network } from '../rules/tunnel-config.ts';
import { certificateFindings } from './rules/certificate-findings.ts';
import { behindLogin, diagnose, type Finding, type HostAnswer } from './rules/diagnosis.ts';
import { cutFinding, ownAddressFindings, type ProxyState, proxyFindings } from './rules/proxy-diagnosis.ts';
import { type FirewallState, firewallReport } from './rules/tunnel-firewall.ts';

/** Read-only ports of the doctor. */
export type DoctorPorts = {
  store: StoreView;
  tunnelManager: Pick<TunnelManager, 'listPeers' | 'findMistake'>;
  routeFiles: Pick<RouteFiles, 'list' | 'read' | 'invalidFiles'>;
  /** The files in the routes directory that the gateway does not write. */
  otherFiles(): Promise<string[]>;
  firewall(): Promise<FirewallState>;
  /** Why store and routes directory cannot be written; `null` if they can. */
  storeProblem(): Promise<string | null>;
  routesProblem(): Promise<string | null>;
  probe(host: string, path?: string): Promise<HostAnswer & { text: string }>;
  /** Asks an app as the proxy does; `null` if this machine cannot reach the tunnels. */
  askThroughTunnel(address: string, port: number, host: string): Promise<HostAnswer | null>;
  /** What the proxy's API shows; `null` if it does not answer. */
  proxyState(): Promise<ProxyState | null>;
  /** After how many seconds the proxy ends a slow request; `null` if it waits. Takes a minute. */
  secondsUntilCut(host: string): Promise<number | null>;
  now(): number;
};

/** Findings, notes on what could not be checked, the number of checked boxes and routes, and hosts that were not asked. */
export type Report = { findings: Finding[]; notes: string[]; boxes: number; routes: number; unasked: string[] };

/** Limits the requests to the proxy, so that the command ends in reasonable time. */
const mostHosts = 200;
const hostsAtOnce = 40;

/** Checks everything between the boxes and the proxy, and reports what does not match. */
export async function examine(
  ports: DoctorPorts,
  options: RouteFileOptions & Pick<GatewaySettings, 'reservedSubdomains'> & { network: Network },
): Promise<Report> {
  const { store, now } = ports;
  const { domain, entrypoint } = options;
  const ownHost = hostOf('gateway', domain);
  const proxy = await ports.proxyState();
  const cut = proxy === null ? ports.secondsUntilCut(ownHost) : null;
  const boxes = await store.listBoxes();
  const published = await listOf(store.publishedBoxes());
  const peers = await ports.tunnelManager.listPeers().catch(asFinding('the tunnel manager'));
  // A manager that does not answer is a finding already.
  const mistake = 'about' in peers ? null : await ports.tunnelManager.findMistake().catch(() => null);
  const files = await readFiles(ports.routeFiles).catch(asFinding('the routes directory'));
  // `readFiles` has reported a failure of these two.
  const invalidFiles = await ports.routeFiles.invalidFiles().catch(() => []);
  const suspects = await ports.otherFiles().catch(() => []);
  const own = await ports.probe(ownHost, '/healthz');
  const { answers, unasked, unseen } = await askHosts(ports, published, domain, own);
  const expectedFiles = new Map(published.map((box) => [box.boxId, routeFileText(box, options) ?? '']));
  const deletions = await store.duePeers(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const observed = {
    now: now(),
    network: options.network,
    boxes,
    removedBoxes: await store.heardRemovedBoxes(),
    peers: 'about' in peers ? null : peers,
    pendingDeletions: deletions,
    files: 'about' in files ? expectedFiles : files,
    expectedFiles,
    answers,
    hasProxyState: proxy !== null,
    reserved: new Map(published.map((box) => [box.boxId, reservedHosts(box, options)])),
  };
  const inFiles = published
    .filter(({ boxId }) => observed.files.get(boxId) === expectedFiles.get(boxId))
    .flatMap((box) => box.routes.map((route) => ({ route, host: hostOf(route.subdomain, domain) })));
  const seconds = await cut;
  const firewall = firewallReport(await ports.firewall());
  const findings = [
    ...firewall.findings,
    ...problemOf('store', 'the store', await ports.storeProblem()),
    ...problemOf('routes directory', 'the routes directory', await ports.routesProblem()),
    ...problemOf('mistake', 'the tunnel manager', mistake),
    ...[peers, files].flatMap((seen) => ('about' in seen ? [seen] : [])),
    ...invalidFiles.map(({ name, reason }) => ({
      topic: `unreadable file ${name}`,
      about: `file ${shownName(name)}`,
      text: `the proxy refuses the whole directory because of it: ${reason}`,
    })),
    ...ownAddressFindings(own),
    ...certificateFindings([own, ...[...answers.values()].flat()], now()),
    ...(proxy === null ? [] : proxyFindings(proxy, { entrypoint, published: inFiles, suspects })),
    ...(seconds === null ? [] : [cutFinding(`${seconds} s`, entrypoint)]),
    ...diagnose(observed),
  ];
  return {
    findings,
    notes: [...firewall.notes, ...unseenNote(unseen)],
    boxes: boxes.length,
    routes: published.reduce((sum, { routes }) => sum + routes.length, 0),
    unasked,
  };
}

function problemOf(topic: string, about: string, text: string | null): Finding[] {
  return text === null ? [] : [{ topic, about, text }];
}

/** Makes a finding of a known failure, so that the other checks continue. */
function asFinding(about: string): (error: unknown) => Finding {
  return (error) => {
    const isKnown = error instanceof TunnelFailed || error instanceof RouteFilesFailed || error instanceof StoreFailed;
    if (!isKnown) throw error;
    return { topic: about, about, text: error.message };
  };
}

async function readFiles(routeFiles: DoctorPorts['routeFiles']): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const boxId of await routeFiles.list()) {
    const text = await routeFiles.read(boxId);
    if (text !== null) texts.set(boxId, text);
  }
  return texts;
}

/** @param own - the answer for the gateway's own address: without one, a late answer for a host is the proxy's fault too */
async function askHosts(ports: DoctorPorts, published: readonly PublishedBox[], domain: string, own: HostAnswer) {
  const all = published.flatMap(({ boxId, address, routes }) =>
    routes.map((route) => ({ boxId, address, route, host: hostOf(route.subdomain, domain) })),
  );
  const unseen: string[] = [];
  const asked = await mapConcurrently(all.slice(0, mostHosts), hostsAtOnce, async ({ boxId, address, route, host }) => {
    const answer = await ports.probe(host);
    const isLate = answer.isLate && own.problem === null;
    const asksForLogin = route.access !== undefined && [401, 403].includes(answer.status);
    const app = asksForLogin ? await ports.askThroughTunnel(address, route.port, host) : undefined;
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

function reservedHosts(
  { routes }: PublishedBox,
  { domain, reservedSubdomains }: Pick<GatewaySettings, 'domain' | 'reservedSubdomains'>,
): string[] {
  return routes
    .filter(({ subdomain }) => isReserved(subdomain, reservedSubdomains))
    .map(({ subdomain }) => hostOf(subdomain, domain));
}

async function listOf<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}
