import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoxRecord, PeerState } from '../../ports.ts';
import { behindLogin, diagnose, type HostAnswer, type Observation } from './diagnosis.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const minutes = 60_000;

const box = (changes: Partial<BoxRecord> = {}): BoxRecord => ({
  id: 'box_a',
  name: 'attic',
  peerName: 'boxgate-box_a',
  accountId: 'acc_1',
  state: 'active',
  peerId: '1',
  peerKey: null,
  address: '10.8.0.2',
  createdAt: now - 60 * minutes,
  lastSeenAt: now - minutes,
  ...{ copiedAt: null, copiedFrom: null },
  routes: 1,
  ...changes,
});

const peer = (changes: Partial<PeerState> = {}): PeerState => ({
  name: 'boxgate-box_a',
  publicKey: null,
  address: '10.8.0.2',
  enabled: true,
  expiresAt: null,
  lastHandshakeAt: now - minutes,
  ...changes,
});

const otherBoxes = `boxgate-box_${'b'.repeat(20)}`;

const answer = (changes: Partial<HostAnswer> = {}): HostAnswer => ({
  host: 'notes.example.org',
  status: 200,
  problem: null,
  isLate: false,
  distrust: null,
  ...{ certificateFrom: null, certificateUntil: null, certificateId: '' },
  ...changes,
});

const observation = (changes: Partial<Observation> = {}): Observation => ({
  now,
  network: { address: '10.8.0.0', prefix: 24 },
  boxes: [box()],
  removedBoxes: [],
  peers: [peer()],
  pendingDeletions: [],
  files: new Map([['box_a', 'text']]),
  expectedFiles: new Map([['box_a', 'text']]),
  answers: new Map([['box_a', [answer()]]]),
  hasProxyState: false,
  reserved: new Map(),
  ...changes,
});

const textsOf = (changes: Partial<Observation>) =>
  diagnose(observation(changes)).map(({ about, text }) => `${about}: ${text}`);

test('finds nothing where everything matches', () => {
  assert.deepEqual(textsOf({}), []);
});

test('names a removed box as long as it goes on sending', () => {
  const removed = (sentBefore: number) => [{ id: 'box_b', name: 'cellar', heardAt: now - sentBefore }];
  const [found, ...more] = textsOf({ removedBoxes: removed(2 * minutes) });
  assert.match(found ?? '', /^box_b \(cellar\): this gateway does not know the box any more.*tunnel leave.*then join$/);
  assert.deepEqual([more, textsOf({ removedBoxes: removed(20 * minutes) })], [[], []]);
});

test('choice/gateway/310: names a route that has a reserved subdomain', () => {
  const reserved = new Map([['box_a', ['vpn.example.org']]]);
  assert.deepEqual(textsOf({ reserved }), [
    "box_a (attic): vpn.example.org: the subdomain is reserved, and was published before it was: the box's owner takes it back with `boxgate tunnel unpublish vpn.example.org`",
  ]);
});

test('tells what the owner of a box has to do from a fault of the gateway', () => {
  const failures = (changes: Partial<Observation>) =>
    diagnose(observation(changes)).flatMap(({ text, isOfBox }) => (isOfBox ? [] : [text]));
  const answering = (one: Partial<HostAnswer>) => ({ answers: new Map([['box_a', [answer(one)]]]) });
  assert.deepEqual(failures({ boxes: [box({ lastSeenAt: null })] }), []);
  for (const status of [502, 504]) assert.deepEqual(failures(answering({ status })), []);
  const [lost] = failures({ peers: [] });
  assert.match(lost ?? '', /^the tunnel manager has no peer/);
  for (const one of [{ problem: 'refused' }, { distrust: 'expired' }]) assert.equal(failures(answering(one)).length, 1);
});

test('has no findings about peers if the tunnel manager did not answer', () => {
  assert.deepEqual(textsOf({ peers: null }), []);
});

test('a box without routes needs no file', () => {
  assert.deepEqual(textsOf({ files: new Map(), expectedFiles: new Map(), answers: new Map() }), []);
});

test('takes a 404 for the answer of the app if the routes of the proxy are known', () => {
  assert.deepEqual(textsOf({ hasProxyState: true, answers: new Map([['box_a', [answer({ status: 404 })]]]) }), []);
});

test('an app may answer with any status of its own', () => {
  assert.deepEqual(textsOf({ answers: new Map([['box_a', [answer({ status: 401 })]]]) }), []);
});

for (const [name, changes, expected] of [
  [
    'a registration that is not over',
    { boxes: [box({ state: 'pending' })] },
    /^box_a \(attic\): its registration is under way/,
  ],
  ['no heartbeat ever', { boxes: [box({ lastSeenAt: null })], peers: null }, /has sent no heartbeat yet: is boxgate-h/],
  [
    'a copy of a box',
    { boxes: [box({ copiedAt: now - minutes, copiedFrom: '192.0.2.1 and 192.0.2.2' })] },
    /come from two machines in turn \(from 192\.0\.2\.1 and 192\.0\.2\.2\), as after a copy of its disk/,
  ],
  ['a box that is off', { boxes: [box({ lastSeenAt: now - 11 * minutes })], peers: null }, /Z: is the box on\?$/],
  [
    'a token from after the store, as the tunnel is up',
    { boxes: [box({ lastSeenAt: now - 11 * minutes })] },
    /, and its tunnel is up: .* before `boxgate tunnel rotate` was put back.* boxes remove box_a` here, and on the box `boxgate tunnel leave`/,
  ],
  [
    'an old heartbeat',
    { boxes: [box({ lastSeenAt: now - 11 * minutes })] },
    /last heartbeat was at 2026-01-02T02:53:05\.000Z/,
  ],
  ['no peer', { peers: [] }, /has no peer boxgate-box_a: nothing reaches the box/],
  [
    'a device at the address of a peer that was deleted',
    { peers: [peer({ name: 'my phone' })] },
    /has no peer boxgate-box_a: its address 10\.8\.0\.2 belongs to the peer "my phone" now, .* boxes remove box_a`/,
  ],
  [
    'a device at the address that a peer had',
    { peers: [peer({ address: '10.8.0.9' }), peer({ name: 'my phone' })] },
    /its routes lead to 10\.8\.0\.2: its address 10\.8\.0\.2 belongs to the peer "my phone" now/,
  ],
  [
    'a heartbeat that a wrong clock has written',
    { boxes: [box({ lastSeenAt: now + 60 * minutes })] },
    /last heartbeat was at 2026-01-02T04:04:05\.000Z/,
  ],
  [
    'a peer of its name and of another key',
    { boxes: [box({ peerKey: 'key' })], peers: [peer({ publicKey: 'other', address: '10.8.0.9' })] },
    /has no peer boxgate-box_a: nothing reaches the box/,
  ],
  [
    'an address of another network',
    { boxes: [box({ address: '192.168.1.1' })], peers: [peer({ address: '192.168.1.1' })] },
    /its address 192\.168\.1\.1 is outside of the network of the tunnels, 10\.8\.0\.0\/24/,
  ],
  ['two peers', { peers: [peer(), peer()] }, /has 2 peers boxgate-box_a/],
  [
    'a disabled peer',
    { peers: [peer({ enabled: false, lastHandshakeAt: null })] },
    /is disabled at the tunnel manager/,
  ],
  [
    'an expired peer',
    { peers: [peer({ enabled: false, expiresAt: now - minutes, lastHandshakeAt: null })] },
    /boxgate-box_a expired at \S+Z: remove the expiry date at the tunnel manager, and enable it there$/,
  ],
  [
    'an expired peer that somebody enabled again',
    { peers: [peer({ expiresAt: now, lastHandshakeAt: now - 60 * minutes })] },
    /boxgate-box_a expired at \S+Z: remove the expiry date/,
  ],
  ['a peer without an address', { peers: [peer({ address: null })] }, /has no usable IPv4 address, its routes lead to/],
  [
    'a peer of another address',
    { peers: [peer({ address: '10.8.0.9' })] },
    /has the address 10\.8\.0\.9, its routes lead to 10\.8\.0\.2/,
  ],
  [
    'an address that was lost to another box',
    { boxes: [box({ address: null })], files: new Map(), expectedFiles: new Map() },
    /has lost its address .* `boxgate gateway boxes remove box_a`/,
  ],
  [
    'a tunnel that was never up',
    { peers: [peer({ lastHandshakeAt: null })] },
    /no handshake since the tunnel manager was started: if that was less than three minutes ago, look again then; if not/,
  ],
  [
    'a tunnel that is quiet',
    { peers: [peer({ lastHandshakeAt: now - 6 * minutes })] },
    /last handshake was at 2026-01-02T02:58:05\.000Z/,
  ],
  ['a missing file', { files: new Map() }, /route file boxgate-box_a\.yml is missing/],
  ['a file of other bytes', { files: new Map([['box_a', 'other']]) }, /is not what its routes make/],
  ['a file without routes', { expectedFiles: new Map() }, /has no routes and yet a route file/],
  ['a file of no box', { boxes: [], peers: [] }, /^file boxgate-box_a\.yml: no box has it/],
  [
    'a peer that waits for its removal',
    { boxes: [], files: new Map(), pendingDeletions: [{ peerName: 'boxgate-box_a', peerKey: null }] },
    /^peer boxgate-box_a: .* removes it as soon as/,
  ],
  [
    'a peer of another gateway',
    { peers: [peer(), peer({ name: otherBoxes })] },
    /^peer boxgate-box_bbbbbbbbbbbbbbbbbbbb: no box of this store has it/,
  ],
] as const satisfies readonly (readonly [string, Partial<Observation>, RegExp])[]) {
  test(`gateway/process/30: finds ${name}, and only that`, () => {
    const [text = '', ...others] = textsOf(changes);
    assert.match(text, expected);
    assert.deepEqual(others, []);
  });
}

test('escapes a name with control characters', () => {
  const [text] = textsOf({ boxes: [box({ name: 'a\u001b[2J', lastSeenAt: null })] });
  assert.match(text ?? '', /^box_a \(a\\u\{1b\}\[2J\): /);
});

test('knows a peer by its key, whatever somebody has called it', () => {
  const boxes = [box({ peerKey: 'key' })];
  const renamed = peer({ name: 'attic', publicKey: 'key' });
  assert.deepEqual(
    textsOf({ boxes, peers: [renamed, peer({ name: 'boxgate-laptop', publicKey: 'x', address: null })] }),
    [],
  );
  const gone = { boxes: [], files: new Map(), pendingDeletions: [{ peerName: 'boxgate-box_a', peerKey: 'key' }] };
  assert.match(textsOf({ ...gone, peers: [renamed] }).join(), /^peer attic: it belongs to no box any more/);
});

test('gives each thing a topic of its own, which no time and no number in a name changes', () => {
  const at = (lastSeenAt: number) =>
    diagnose(
      observation({
        boxes: [box({ lastSeenAt })],
        answers: new Map([['box_a', ['a1', 'a2'].map((name) => answer({ host: `${name}.example.org`, status: 502 }))]]),
      }),
    ).map(({ topic }) => topic);
  const topics = ['box_a: heartbeat', 'box_a: https://a1.example.org', 'box_a: https://a2.example.org'];
  assert.deepEqual(at(now - 11 * minutes), topics);
  assert.deepEqual(at(now - 12 * minutes), topics);
});

test('tells of an app behind a login what the proxy would answer without it', () => {
  for (const [app, status] of [
    [{ status: 302 }, 302],
    [{ problem: 'ECONNREFUSED' }, 502],
    [{ problem: 'EHOSTUNREACH' }, 504],
    [{ problem: 'it took longer than 12 s' }, 504],
    [{ problem: 'socket hang up', isLate: true }, 504],
  ] as const) {
    const found = behindLogin(answer({ status: 401 }), answer(app));
    assert.deepEqual([found.status, found.isBehindLogin], [status, true]);
  }
  const [text] = textsOf({ answers: new Map([['box_a', [answer({ status: 502, isBehindLogin: true })]]]) });
  assert.match(text ?? '', /notes\.example\.org: 502 behind the login, the proxy does not reach the app/);
});

test('ignores peers of other programs', () => {
  assert.deepEqual(textsOf({ peers: [peer(), peer({ name: 'my phone' })] }), []);
});

for (const [name, changes, expected] of [
  [
    'no answer',
    { status: 0, problem: 'ECONNREFUSED' },
    /notes\.example\.org: the proxy gives no answer: ECONNREFUSED$/,
  ],
  ['404', { status: 404 }, /404, from the app or because the proxy/],
  ['502', { status: 502 }, /502, the proxy does not reach the app/],
  ['504', { status: 504 }, /504, the app or the box does not answer/],
  [
    'a certificate that is not trusted',
    { distrust: 'self-signed certificate' },
    /do not trust its certificate \(self-signed/,
  ],
] as const) {
  test(`finds a host with ${name}`, () => {
    const [text = '', ...others] = textsOf({ answers: new Map([['box_a', [answer(changes)]]]) });
    assert.match(text, expected);
    assert.deepEqual(others, []);
  });
}
