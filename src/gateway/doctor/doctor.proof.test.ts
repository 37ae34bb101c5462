import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BoxRecord,
  type PeerState,
  type PublishedBox,
  type RouteAccess,
  RouteFilesFailed,
  TunnelFailed,
} from '../ports.ts';
import { routeFileText } from '../rules/route-file.ts';
import { examine, reportText, type Sights } from './doctor.ts';
import type { HostAnswer } from './rules/diagnosis.ts';
import type { ProxyState } from './rules/proxy-diagnosis.ts';
import type { FirewallState } from './rules/tunnel-firewall.ts';

const options = {
  ...{ domain: 'example.org', entrypoint: 'websecure', certResolver: null, reservedSubdomains: ['vpn'] },
  network: { address: '10.8.0.0', prefix: 24 },
};
const now = Date.now();

const box: BoxRecord = {
  id: 'box_a',
  name: 'attic',
  peerName: 'boxgate-box_a',
  accountId: 'acc_1',
  state: 'active',
  peerId: '1',
  peerKey: 'key of box_a',
  address: '10.8.0.2',
  createdAt: now,
  lastSeenAt: now,
  ...{ copiedAt: null, copiedFrom: null },
  routes: 1,
};
const peer: PeerState = {
  name: 'boxgate-box_a',
  publicKey: 'key of box_a',
  address: '10.8.0.2',
  enabled: true,
  expiresAt: null,
  lastHandshakeAt: now,
};
const route = { id: 'rt_a', boxId: 'box_a', accountId: 'acc_1', appName: 'notes', subdomain: 'notes', port: 5230 };
const published: PublishedBox = { boxId: 'box_a', address: '10.8.0.2', routes: [route] };

const answer = {
  ...{
    host: '',
    status: 200,
    problem: null,
    isLate: false,
    distrust: null,
    text: '{"status":"ok"}',
    server: '',
    date: '',
  },
  ...{ certificateFrom: null, certificateUntil: null, certificateId: '' },
};

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
  /** By host. */
  answers?: Record<string, Partial<HostAnswer>>;
  /** The app's answer through the tunnel. */
  behind?: Awaited<ReturnType<Sights['askThroughTunnel']>>;
}): Sights & { asked: string[] } {
  const asked: string[] = [];
  const list = changes.published ?? [published];
  return {
    asked,
    store: {
      id: 'store',
      accountId: 'acc_1',
      listBoxes: async () => [box],
      heardRemovedBoxes: async () => [],
      routesOfBox: async () => [],
      async *publishedBoxes() {
        yield* list;
      },
      duePeers: async () => [],
      readSession: async () => null,
      openLoginMs: async () => null,
      close: async () => undefined,
    },
    listPeers: changes.peers ?? (async () => [peer]),
    findMistake: async () => changes.mistake ?? null,
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
      return { ...answer, host, ...changes.answers?.[host] };
    },
    askThroughTunnel: async () => changes.behind ?? null,
  };
}

const findingsOf = async (changes: Parameters<typeof gateway>[0]) =>
  (await examine(gateway(changes), options)).findings.map(({ about, text }) => `${about}: ${text}`);

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

test('requests a bounded number of hosts, and tells the others', async () => {
  const routes = Array.from({ length: 150 }, (_, i) => ({ ...route, id: `rt_${i}`, subdomain: `n${i}` }));
  const many = ['box_a', 'box_b'].map((boxId) => ({ ...published, boxId, routes }));
  const ports = gateway({ published: many });
  const report = await examine(ports, options);
  assert.equal(report.routes, 300);
  assert.equal(ports.asked.length, 201);
  const end =
    'looked at 1 box and 300 routes, and did not ask the proxy for 100 of their hosts (n50.example.org, n51.example.org, n52.example.org, …): everything else matches';
  assert.equal(reportText({ ...report, findings: [] }), end);
  assert.match(
    reportText({ ...report, unasked: ['a.example.org'] }),
    /for 1 of their hosts \(a\.example\.org\): \d+ found$/,
  );
});

test('asks the app itself where the proxy asks for a login or refuses the network', async () => {
  const guarded = (access: RouteAccess) => ({ published: [{ ...published, routes: [{ ...route, access }] }] });
  const login = guarded({ login: 'ada', password_hash: 'x' });
  for (const [changes, status, behind, expected] of [
    [
      login,
      401,
      { problem: 'ECONNREFUSED' },
      /^notes\.example\.org: 502 behind the login, the proxy does not reach the app/,
    ],
    [login, 401, { problem: 'it took longer than 12 s' }, /: 504 behind the login, the app or the box does not answer/],
    [login, 401, { problem: 'socket hang up', isLate: true }, /: 504 behind the login/],
    [guarded({ allow: ['203.0.113.0/24'] }), 403, { problem: 'EHOSTUNREACH' }, /: 504 behind the login/],
    [login, 401, { status: 302 }, null],
    [guarded({ allow: ['127.0.0.0/8'] }), 200, { problem: 'ECONNREFUSED' }, null],
    [{}, 401, { problem: 'ECONNREFUSED' }, null],
  ] as const) {
    const answers = { 'notes.example.org': { status } };
    const { findings, notes } = await examine(
      gateway({ ...changes, answers, behind: { ...answer, ...behind } }),
      options,
    );
    assert.deepEqual([findings.length, notes], [expected === null ? 0 : 1, []], JSON.stringify([status, behind]));
    if (expected !== null) assert.match(findings[0]?.text ?? '', expected);
  }
  const { notes } = await examine(gateway({ ...login, answers: { 'notes.example.org': { status: 401 } } }), options);
  assert.match(
    notes[0] ?? '',
    /^this machine has no address in the network of the tunnels, .* of notes\.example\.org$/,
  );
});

test('takes a late answer for that of the app or the box while the proxy answers for the gateway', async () => {
  const late = { status: 0, problem: 'it took longer than 12 s', isLate: true };
  assert.deepEqual(await findingsOf({ answers: { 'notes.example.org': late } }), [
    'box_a (attic): notes.example.org: it took longer than 12 s, the app or the box does not answer: does the app run, is the box on, and the tunnel up?',
  ]);
  const [, host] = await findingsOf({ answers: { 'notes.example.org': late, 'gateway.example.org': late } });
  assert.match(host ?? '', /notes\.example\.org: the proxy gives no answer: it took longer/);
});

test('choice/gateway/213: finds a missing packet filter, and notes one that it cannot read', async () => {
  const open = await examine(gateway({ firewall: 'missing' }), options);
  assert.match(open.findings[0]?.text ?? '', /^boxes reach this server's private network/);
  const hidden = await examine(gateway({ firewall: 'hidden' }), options);
  assert.deepEqual([hidden.findings, hidden.notes.length], [[], 1]);
});
