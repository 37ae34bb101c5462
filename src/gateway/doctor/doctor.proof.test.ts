import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BoxRecord, type PeerState, type PublishedBox, RouteFilesFailed, TunnelFailed } from '../ports.ts';
import type { ProxyState } from '../rules/proxy-diagnosis.ts';
import { routeFileText } from '../rules/route-file.ts';
import type { FirewallState } from '../rules/tunnel-firewall.ts';
import { type DoctorPorts, examine } from './doctor.ts';

const options = { domain: 'example.org', entrypoint: 'websecure', certResolver: null, reservedSubdomains: ['vpn'] };
const now = Date.parse('2026-01-02T03:04:05Z');

const box: BoxRecord = {
  id: 'box_a',
  name: 'attic',
  peerName: 'boxgate-box_a',
  accountId: 'acc_1',
  state: 'active',
  peerId: '1',
  address: '10.8.0.2',
  createdAt: now,
  lastSeenAt: now,
  routes: 1,
};
const peer: PeerState = {
  name: 'boxgate-box_a',
  address: '10.8.0.2',
  enabled: true,
  expiresAt: null,
  lastHandshakeAt: now,
};
const route = { id: 'rt_a', boxId: 'box_a', accountId: 'acc_1', appName: 'notes', subdomain: 'notes', port: 5230 };
const published: PublishedBox = { boxId: 'box_a', address: '10.8.0.2', routes: [route] };

/** A gateway in which everything matches, except the given parts. */
function gateway(changes: {
  peers?: () => Promise<PeerState[]>;
  mistake?: string;
  files?: () => Promise<string[]>;
  published?: PublishedBox[];
  invalidFiles?: { name: string; reason: string }[];
  firewall?: FirewallState;
  storeProblem?: string;
  routesProblem?: string;
  proxyState?: ProxyState | null;
  secondsUntilCut?: number;
}): DoctorPorts & { asked: string[] } {
  const asked: string[] = [];
  const list = changes.published ?? [published];
  return {
    asked,
    store: {
      id: 'store',
      accountId: 'acc_1',
      listBoxes: async () => [box],
      routesOfBox: async () => [],
      publishedBox: async () => null,
      async *publishedBoxes() {
        yield* list;
      },
      countPublishedBoxes: async () => list.length,
      duePeers: async () => [],
      readSession: async () => null,
      openLoginMs: async () => null,
      close: async () => undefined,
    },
    tunnelManager: {
      listPeers: changes.peers ?? (async () => [peer]),
      findMistake: async () => changes.mistake ?? null,
    },
    routeFiles: {
      list: changes.files ?? (async () => list.map(({ boxId }) => boxId)),
      read: async (boxId) => {
        const found = list.find((one) => one.boxId === boxId);
        return found === undefined ? null : routeFileText(found, options);
      },
      invalidFiles: async () => changes.invalidFiles ?? [],
    },
    firewall: async () => changes.firewall ?? 'loaded',
    storeProblem: async () => changes.storeProblem ?? null,
    routesProblem: async () => changes.routesProblem ?? null,
    otherFiles: async () => [],
    proxyState: async () => changes.proxyState ?? null,
    secondsUntilCut: async () => changes.secondsUntilCut ?? null,
    probe: async (host, path = '') => {
      asked.push(host + path);
      return { host, status: 200, problem: null, distrust: null, text: '{"status":"ok"}' };
    },
    now: () => now,
  };
}

const findingsOf = async (changes: Parameters<typeof gateway>[0]) =>
  (await examine(gateway(changes), options)).findings.map(({ about, text }) => `${about}: ${text}`);

test('finds nothing if everything matches, and counts what it checked', async () => {
  const ports = gateway({});
  assert.deepEqual(await examine(ports, options), { findings: [], notes: [], boxes: 1, routes: 1 });
  assert.deepEqual(ports.asked, ['notes.example.org', 'gateway.example.org/healthz']);
});

test('reports a tunnel manager that does not answer once, and checks the rest', async () => {
  const peers = async () => Promise.reject(new TunnelFailed('it cannot be reached'));
  assert.deepEqual(await findingsOf({ peers }), ['the tunnel manager: it cannot be reached']);
});

test('reports what has to be corrected at the tunnel manager', async () => {
  assert.deepEqual(await findingsOf({ mistake: 'correct it' }), ['the tunnel manager: correct it']);
});

test('reports an unreadable routes directory once, and no missing files', async () => {
  const files = async () => Promise.reject(new RouteFilesFailed('the routes directory /r: it is not there any more'));
  assert.deepEqual(await findingsOf({ files }), [
    'the routes directory: the routes directory /r: it is not there any more',
  ]);
});

test('choice/gateway/332: reports a full or read-only disk of the store and of the route files', async () => {
  const changes = {
    storeProblem: 'the disk of /s is full: 0 KiB are left',
    routesProblem: 'the disk of /r is read-only',
  };
  assert.deepEqual(await findingsOf(changes), [
    'the store: the disk of /s is full: 0 KiB are left',
    'the routes directory: the disk of /r is read-only',
  ]);
});

test('names a file that stops the proxy from reading the directory', async () => {
  const invalidFiles = [{ name: 'mine.yml', reason: 'it is no YAML' }];
  assert.deepEqual(await findingsOf({ invalidFiles }), [
    'file mine.yml: the proxy refuses the whole directory because of it: it is no YAML',
  ]);
});

test('asks the API of the proxy, and else sends a slow request', async () => {
  const cut = (after: string) => [
    `the proxy: it cuts uploads that take longer than ${after}: start Traefik with --entrypoints.websecure.transport.respondingTimeouts.readTimeout=0`,
  ];
  const routers = ['boxgate-rt_a@file'].map((name) => ({
    name,
    status: 'enabled',
    error: '',
    rule: '',
    priority: 1000,
    using: ['websecure'],
  }));
  assert.deepEqual(await findingsOf({ secondsUntilCut: 60 }), cut('60 s'));
  assert.deepEqual(await findingsOf({ secondsUntilCut: 60, proxyState: { readTimeout: null, routers } }), []);
  assert.deepEqual(await findingsOf({ proxyState: { readTimeout: '1m0s', routers } }), cut('1m0s'));
  const [unread] = await findingsOf({ proxyState: { readTimeout: null, routers: [] } });
  assert.match(unread ?? '', /^the proxy: it does not have the routes of 1 published host/);
});

test('throws an unexpected error', async () => {
  const peers = async () => Promise.reject(new Error('a mistake in the program'));
  await assert.rejects(examine(gateway({ peers }), options), { message: 'a mistake in the program' });
});

test('choice/gateway/310: finds routes whose subdomain is reserved', async () => {
  const routes = ['vpn', 'gateway', 'notes'].map((subdomain) => ({ ...route, id: subdomain, subdomain }));
  const found = await findingsOf({ published: [{ ...published, routes }] });
  assert.deepEqual(
    found.map((text) => /: (\S+): the subdomain is reserved/.exec(text)?.[1]),
    ['vpn.example.org', 'gateway.example.org'],
  );
});

test('requests a bounded number of hosts', async () => {
  const routes = Array.from({ length: 150 }, (_, i) => ({ ...route, id: `rt_${i}`, subdomain: `n${i}` }));
  const many = ['box_a', 'box_b'].map((boxId) => ({ ...published, boxId, routes }));
  const ports = gateway({ published: many });
  const report = await examine(ports, options);
  assert.equal(report.routes, 300);
  assert.equal(ports.asked.length, 201);
});

test('choice/gateway/213: finds a missing packet filter, and notes one that it cannot read', async () => {
  const open = await examine(gateway({ firewall: 'missing' }), options);
  assert.match(open.findings[0]?.text ?? '', /^boxes reach this server's private network/);
  const hidden = await examine(gateway({ firewall: 'hidden' }), options);
  assert.deepEqual([hidden.findings, hidden.notes.length], [[], 1]);
});
