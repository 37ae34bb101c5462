import type { ChangeEntry } from '../lib/journal.ts';
import { makeServerMetrics, type ServerMetrics } from '../lib/server-metrics.ts';
import { shareWork } from '../lib/share-work.ts';
import type { Heartbeats } from './boxes/heartbeats.ts';
import type { RefusedTokens } from './boxes/refused-tokens.ts';
import type { GatewayPorts } from './ports.ts';
import { parseTraffic, type Traffic, trafficOf } from './rules/route-traffic.ts';

/** A box that sent a heartbeat within this time is active; boxes send one a minute. */
const activeMs = 10 * 60_000;
/** Limits the requests to the tunnel manager, because each one waits for its lock. */
const checkEveryMs = 60_000;
const checkWaitMs = 5000;
const mostDeletions = 10_000;

type Observable = Pick<GatewayPorts, 'journal'> & { heartbeats: Heartbeats; refusedTokens: RefusedTokens };
type Ports = Pick<GatewayPorts, 'store' | 'tunnelManager' | 'routeFiles' | 'now' | 'pause'>;

/** `storeProblem` checks the disk of the store; `trafficText` is what the proxy serves for Prometheus, or empty. */
type Looks = { storeProblem(): Promise<string | null>; trafficText(): Promise<string> };

const orNull = <Value>(read: () => Promise<Value>) => read().catch(() => null);

/** The metrics of a gateway; loaded only if they are served. choice/gateway/333 */
export function makeGatewayMetrics(ports: Ports, looks: Looks, version: string) {
  const metrics = makeServerMetrics('gateway', version);
  let isBehind = () => false;
  showStore(metrics, ports, async () => !isBehind() && (await looks.storeProblem()) === null);
  showManager(metrics, ports);
  showTraffic(metrics, ports, looks);
  const heartbeats = metrics.counter('heartbeats_total', 'Heartbeats of boxes.');
  const registrations = metrics.counter(
    'registrations_total',
    'Registrations by result (ok, failed, refused, wrong_token).',
    'result',
  );

  const { registry } = metrics;
  return {
    type: registry.contentType,
    text: () => registry.metrics(),
    /** Wraps a gateway so that its changes, heartbeats and refused tokens are counted. */
    observed<Observed extends Observable>(gateway: Observed): Observed {
      isBehind = gateway.heartbeats.areBehind;
      const journal = (entry: ChangeEntry) => {
        gateway.journal(entry);
        metrics.changed(entry);
        if (entry.operation === 'join') registrations(entry.outcome);
      };
      const touch: Heartbeats['touch'] = (boxId, from) => {
        heartbeats();
        gateway.heartbeats.touch(boxId, from);
      };
      const count = (address: string) => {
        registrations('wrong_token');
        gateway.refusedTokens.count(address);
      };
      return {
        ...gateway,
        journal,
        heartbeats: { ...gateway.heartbeats, touch },
        refusedTokens: { ...gateway.refusedTokens, count },
      };
    },
  };
}

function showStore(metrics: ServerMetrics, { store, now }: Ports, canBeWritten: () => Promise<boolean>): void {
  const boxes = shareWork(() => store.listBoxes());
  metrics.gauges('boxes', 'Registered boxes by state.', 'state', async () => {
    const all = await orNull(boxes);
    if (all === null) return new Map();
    const active = all.filter(({ state }) => state === 'active').length;
    return new Map([
      ['active', active],
      ['pending', all.length - active],
    ]);
  });
  metrics.gauge('active_boxes', 'Boxes that sent a heartbeat within the last 10 minutes.', async () => {
    const all = await orNull(boxes);
    if (all === null) return null;
    return all.filter(({ lastSeenAt }) => lastSeenAt !== null && now() - lastSeenAt <= activeMs).length;
  });
  metrics.gauge('routes', 'Published routes.', async () => {
    const all = await orNull(boxes);
    return all === null ? null : all.reduce((sum, { routes }) => sum + routes, 0);
  });
  metrics.gauge('store_up', '1 if the store answers and can be written, else 0.', async () => {
    const isRead = (await orNull(boxes)) !== null;
    return Number(isRead && (await canBeWritten()));
  });
}

function showManager(metrics: ServerMetrics, { store, routeFiles, tunnelManager, now, pause }: Ports): void {
  metrics.gauge(
    'tunnel_manager_up',
    '1 if the tunnel manager answered and took the login when last asked, else 0; asked at most once a minute.',
    makeTunnelCheck(tunnelManager, now, pause),
  );
  metrics.gauge('pending_peer_deletions', 'Peers that are still to be removed at the tunnel manager.', () =>
    orNull(async () => (await store.duePeers(Number.MAX_SAFE_INTEGER, mostDeletions)).length),
  );
  metrics.gauge(
    'invalid_route_files',
    'Files of others in the routes directory that keep the proxy from reading it; absent if it cannot be read.',
    () => orNull(async () => (await routeFiles.invalidFiles()).length),
  );
}

function showTraffic(metrics: ServerMetrics, { store }: Ports, { trafficText }: Looks): void {
  const traffic = shareWork(async () => {
    const counted = parseTraffic(await trafficText());
    const routes: { labels: { box: string; route: string }; traffic: Traffic }[] = [];
    for await (const { boxId, routes: published } of store.publishedBoxes()) {
      for (const route of published) {
        const found = trafficOf(route, counted);
        if (found !== null) routes.push({ labels: { box: boxId, route: route.id }, traffic: found });
      }
    }
    return routes;
  });
  for (const [name, kind, help] of [
    ['route_requests_total', 'requests', 'Requests of visitors to a published route, as the proxy counts them.'],
    ['route_received_bytes_total', 'received', 'Bytes that visitors sent to a published route.'],
    ['route_sent_bytes_total', 'sent', 'Bytes that a published route sent to visitors.'],
  ] as const) {
    metrics.counters(name, help, ['box', 'route'], async () => {
      const routes = (await orNull(traffic)) ?? [];
      return routes.map(({ labels, traffic: counted }) => ({ labels, value: counted[kind] }));
    });
  }
}

/** A check that takes too long counts as a failure for this scrape. The next scrape gets its result. */
function makeTunnelCheck(
  tunnelManager: Ports['tunnelManager'],
  now: Ports['now'],
  pause: Ports['pause'],
): () => Promise<number> {
  let checkedAt: number | null = null;
  let check: Promise<number> = Promise.resolve(0);
  return () => {
    if (checkedAt === null || now() - checkedAt >= checkEveryMs || now() < checkedAt) {
      checkedAt = now();
      check = tunnelManager.listPeers().then(
        () => 1,
        () => 0,
      );
    }
    return Promise.race([check, pause(checkWaitMs).then(() => 0)]);
  };
}
