import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type PeerOfBox, RouteFilesFailed, TunnelFailed } from '../ports.ts';
import { breakable, makeTestEnvironment, settled, type TestEnvironment } from '../testing/test-gateway.ts';
import { makeJanitor } from './janitor.ts';

const second = 1000;
const minute = 60 * second;
const down = new TunnelFailed('not reachable (ECONNREFUSED): check that it runs');

function makeJanitorOf(t: TestContext, environment: TestEnvironment, store = environment.store) {
  const asked: string[] = [];
  const tunnelManager = {
    ...environment.tunnels,
    async removePeers(peer: PeerOfBox) {
      asked.push(peer.peerName);
      return environment.tunnels.removePeers(peer);
    },
  };
  const { clock, warnings } = environment;
  const janitor = makeJanitor({
    store,
    tunnelManager,
    routeFiles: environment.files,
    now: () => clock.ms,
    pause: clock.pause,
    warn: (text) => void warnings.push(text),
  });
  t.after(() => janitor.stop());
  return { janitor, asked };
}

/** Advances the clock in steps of a second. */
async function pass({ clock }: TestEnvironment, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += second) await clock.pass(second);
}

/** Adds a box that was never activated, and its peer if there is one. */
async function leavePending(environment: TestEnvironment, name: string, { dueInMs = minute, hasPeer = true } = {}) {
  const { store, tunnels, clock } = environment;
  const peerName = `boxgate-box_${name}`;
  const box = { id: `box_${name}`, name, peerName, createdAt: clock.ms };
  await store.insertPendingBox(box, 100, clock.ms + dueInMs);
  if (hasPeer) await tunnels.createPeer(peerName);
}

const pendingDeletions = async ({ store }: TestEnvironment) =>
  (await store.duePeers(Number.MAX_SAFE_INTEGER, 100)).map(({ peerName }) => peerName);
const boxesIn = async ({ store }: TestEnvironment) => (await store.listBoxes()).map(({ id }) => id);

test('removes a peer and its pending box when the deletion is due, and not before', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a');
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await pass(environment, minute - second);
  assert.deepEqual(environment.tunnels.names(), ['boxgate-box_a']);
  await pass(environment, 2 * second);
  assert.deepEqual(environment.tunnels.names(), []);
  assert.deepEqual(await pendingDeletions(environment), []);
  assert.deepEqual(await boxesIn(environment), []);
  assert.deepEqual(environment.warnings, []);
});

test('choice/gateway/88: removes a route file before the peer with its address', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a');
  await environment.files.put('box_a', 'a route');
  environment.files.fails = new RouteFilesFailed('the routes directory is read-only');
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(minute);
  await pass(environment, 2 * minute);
  assert.deepEqual(environment.tunnels.names(), ['boxgate-box_a']);
  assert.match(environment.warnings.join(), /cannot be removed yet: the routes directory is read-only/);
  environment.files.fails = null;
  await pass(environment, 2 * minute);
  assert.deepEqual(environment.tunnels.names(), []);
  assert.deepEqual([...environment.files.texts], []);
});

test('treats deletions of an earlier run as due if no other process shares the store', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a');
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(minute);
  await leavePending(environment, 'registered-meanwhile');
  await settled();
  assert.deepEqual(environment.tunnels.names(), ['boxgate-box_registered-meanwhile']);
  assert.deepEqual(await boxesIn(environment), ['box_registered-meanwhile']);
});

test('finds deletions that become due while it runs', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await pass(environment, 10 * minute);
  await leavePending(environment, 'a', { dueInMs: second });
  await pass(environment, 3 * second);
  assert.deepEqual(environment.tunnels.names(), []);
});

test('sends no request and writes no line while nothing is due', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 60 * minute });
  const { janitor, asked } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await pass(environment, 59 * minute);
  assert.deepEqual(asked, []);
  assert.deepEqual(environment.warnings, []);
});

test('tries an absent peer twice, a minute apart, because its create may still be carried out', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'late', { dueInMs: 0, hasPeer: false });
  await leavePending(environment, 'never', { dueInMs: 0, hasPeer: false });
  const { janitor, asked } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await settled();
  await environment.tunnels.createPeer('boxgate-box_late');
  await pass(environment, minute + 2 * second);
  assert.deepEqual(environment.tunnels.names(), []);
  assert.deepEqual(await pendingDeletions(environment), []);
  assert.equal(asked.length, 4);
});

test('keeps the peer of a box that is activated although its deletion seemed due, as when clocks differ', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 0 });
  const [peer] = environment.tunnels.peers;
  assert.ok(peer);
  const live = { tokenHash: new Uint8Array(32), peerId: '2', peerKey: null, address: String(peer.address) };
  const { duePeers, activateBox } = environment.store;
  const store = {
    ...environment.store,
    async duePeers(now: number, atMost: number) {
      const due = await duePeers(now, atMost);
      if (due.length > 0) await activateBox('box_a', live);
      return due;
    },
  };
  const { janitor, asked } = makeJanitorOf(t, environment, store);
  await janitor.start(0);
  await pass(environment, minute);
  assert.deepEqual(asked, []);
  assert.deepEqual(environment.tunnels.names(), ['boxgate-box_a']);
});

test('removes a pending box before the request to remove its peer', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 0 });
  const removing = environment.tunnels.removePeers;
  const boxes: string[][] = [];
  environment.tunnels.removePeers = async (name) => {
    boxes.push(await boxesIn(environment));
    return removing(name);
  };
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await settled();
  assert.deepEqual(boxes, [[]]);
});

test('does not wait for deletions that a clock which was set back postponed too far', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a');
  await leavePending(environment, 'never', { dueInMs: 0, hasPeer: false });
  let backMs = 0;
  const clock = {
    ...environment.clock,
    get ms() {
      return environment.clock.ms - backMs;
    },
  };
  const { janitor, asked } = makeJanitorOf(t, { ...environment, clock });
  await janitor.start(0);
  await settled();
  assert.deepEqual(asked, ['boxgate-box_never']);
  backMs = 120 * minute;
  await pass(environment, 3 * second);
  assert.deepEqual(environment.tunnels.names(), []);
  await pass(environment, minute + 2 * second);
  assert.deepEqual(await pendingDeletions(environment), []);
});

test('retries after growing waits up to a minute, and reports the first failure and the next success', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 0 });
  environment.tunnels.fails = down;
  const { janitor, asked } = makeJanitorOf(t, environment);
  const times: number[] = [];
  const began = environment.clock.ms;
  await janitor.start(0);
  await settled();
  while (environment.clock.ms - began < 5 * minute) {
    if (asked.length > times.length) times.push((environment.clock.ms - began) / second);
    await pass(environment, second);
  }
  assert.deepEqual(times.slice(0, 7), [0, 1, 3, 7, 15, 31, 63]);
  assert.deepEqual(environment.warnings, [
    'peers of boxes that are gone cannot be removed yet: tunnel manager: not reachable (ECONNREFUSED): check that it runs',
  ]);
  environment.tunnels.fails = null;
  await pass(environment, minute);
  assert.deepEqual(environment.tunnels.names(), []);
  assert.equal(environment.warnings.length, 2);
  assert.match(environment.warnings[1] ?? '', /removed again/);
});

test('tries one peer at a time while the manager refuses', async (t) => {
  const environment = await makeTestEnvironment(t);
  for (let i = 0; i < 20; i += 1) await leavePending(environment, `n${i}`, { dueInMs: 0 });
  environment.tunnels.fails = down;
  const { janitor, asked } = makeJanitorOf(t, environment);
  await janitor.start(0);
  await pass(environment, 16 * second);
  assert.equal(asked.length, 5);
  assert.equal(new Set(asked).size, 5);
  environment.tunnels.fails = null;
  await pass(environment, 2 * minute);
  assert.deepEqual(environment.tunnels.names(), []);
});

test('the next run continues with the number of earlier attempts', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 0 });
  environment.tunnels.fails = down;
  const first = makeJanitorOf(t, environment);
  await first.janitor.start(0);
  await pass(environment, 16 * second);
  await first.janitor.stop();
  const next = makeJanitorOf(t, environment);
  await next.janitor.start(0);
  await pass(environment, 14 * second);
  assert.deepEqual(next.asked, []);
  environment.tunnels.fails = null;
  await pass(environment, 4 * second);
  assert.deepEqual(environment.tunnels.names(), []);
});

test('continues after a failure of the store', async (t) => {
  const environment = await makeTestEnvironment(t);
  await leavePending(environment, 'a', { dueInMs: 0 });
  const { store, broken } = breakable(environment.store);
  const { janitor } = makeJanitorOf(t, environment, store);
  broken.add('settlePeer');
  await janitor.start(0);
  await settled();
  broken.add('duePeers');
  await pass(environment, 10 * second);
  broken.clear();
  await pass(environment, 3 * minute);
  assert.deepEqual(await pendingDeletions(environment), []);
  assert.deepEqual(environment.warnings, [
    'peers of boxes that are gone cannot be removed yet: no settlePeer',
    'peers of boxes that are gone are removed again',
  ]);
});

test('a stop finishes the current deletion and starts no other', async (t) => {
  const environment = await makeTestEnvironment(t);
  for (const name of ['a', 'b']) await leavePending(environment, name, { dueInMs: 0 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const removing = environment.tunnels.removePeers;
  environment.tunnels.removePeers = async (name) => {
    await gate;
    return removing(name);
  };
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.start(0);
  let isStopped = false;
  const stopping = janitor.stop().then(() => {
    isStopped = true;
  });
  await settled();
  assert.equal(isStopped, false);
  open();
  await stopping;
  assert.deepEqual(environment.tunnels.names(), ['boxgate-box_b']);
  assert.deepEqual(await pendingDeletions(environment), ['boxgate-box_b']);
});

test('stops at once while idle, also before its start', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { janitor } = makeJanitorOf(t, environment);
  await janitor.stop();
  const other = makeJanitorOf(t, environment).janitor;
  await other.start(0);
  await settled();
  await other.stop();
});
