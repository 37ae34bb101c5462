import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RouteFilesFailed, TunnelFailed } from '../ports.ts';
import { breakable, makeTestWorld, settled, type TestWorld } from '../testing/test-gateway.ts';
import { makeJanitor } from './janitor.ts';

const second = 1000;
const minute = 60 * second;
const down = new TunnelFailed('not reachable (ECONNREFUSED): check that it runs');

function makeJanitorOf(t: TestContext, world: TestWorld, store = world.store) {
  const asked: string[] = [];
  const tunnelManager = {
    ...world.tunnels,
    async removePeers(name: string) {
      asked.push(name);
      return world.tunnels.removePeers(name);
    },
  };
  const { clock, warnings } = world;
  const janitor = makeJanitor({
    store,
    tunnelManager,
    routeFiles: world.files,
    now: () => clock.ms,
    pause: clock.pause,
    warn: (text) => void warnings.push(text),
  });
  t.after(() => janitor.stop());
  return { janitor, asked };
}

/** Time passes, a second at a time. */
async function pass({ clock }: TestWorld, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += second) await clock.pass(second);
}

/** A box that never became live, and its peer where there is one. */
async function leavePending(world: TestWorld, name: string, { dueInMs = minute, hasPeer = true } = {}) {
  const { store, tunnels, clock } = world;
  const peerName = `boxgate-box_${name}`;
  const box = { id: `box_${name}`, name, peerName, createdAt: clock.ms };
  await store.insertPendingBox(box, 100, clock.ms + dueInMs);
  if (hasPeer) await tunnels.createPeer(peerName);
}

const ledgerOf = async ({ store }: TestWorld) =>
  (await store.duePeers(Number.MAX_SAFE_INTEGER, 100)).map(({ peerName }) => peerName);
const boxesIn = async ({ store }: TestWorld) => (await store.listBoxes()).map(({ id }) => id);

test('removes a peer when it is due, with its pending box, and not before', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a');
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(0);
  await pass(world, minute - second);
  assert.deepEqual(world.tunnels.names(), ['boxgate-box_a']);
  await pass(world, 2 * second);
  assert.deepEqual(world.tunnels.names(), []);
  assert.deepEqual(await ledgerOf(world), []);
  assert.deepEqual(await boxesIn(world), []);
  assert.deepEqual(world.warnings, []);
});

test('choice/gateway/116: takes a route file away before the peer whose address it leads to', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a');
  await world.files.put('box_a', 'a route');
  world.files.fails = new RouteFilesFailed('the routes directory is read-only');
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(minute);
  await pass(world, 2 * minute);
  assert.deepEqual(world.tunnels.names(), ['boxgate-box_a']);
  assert.match(world.warnings.join(), /cannot be removed yet: the routes directory is read-only/);
  world.files.fails = null;
  await pass(world, 2 * minute);
  assert.deepEqual(world.tunnels.names(), []);
  assert.deepEqual([...world.files.texts], []);
});

test('takes what an earlier life left for due, where nobody else can be at it', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a');
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(minute);
  await leavePending(world, 'registered-meanwhile');
  await settled();
  assert.deepEqual(world.tunnels.names(), ['boxgate-box_registered-meanwhile']);
  assert.deepEqual(await boxesIn(world), ['box_registered-meanwhile']);
});

test('finds what becomes due while it runs', async (t) => {
  const world = await makeTestWorld(t);
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(0);
  await pass(world, 10 * minute);
  await leavePending(world, 'a', { dueInMs: second });
  await pass(world, 3 * second);
  assert.deepEqual(world.tunnels.names(), []);
});

test('asks the manager nothing and says nothing while nothing is due', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 60 * minute });
  const { janitor, asked } = makeJanitorOf(t, world);
  await janitor.start(0);
  await pass(world, 59 * minute);
  assert.deepEqual(asked, []);
  assert.deepEqual(world.warnings, []);
});

test('looks twice, a minute apart, for a peer that is not there: its create may be carried out yet', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'late', { dueInMs: 0, hasPeer: false });
  await leavePending(world, 'never', { dueInMs: 0, hasPeer: false });
  const { janitor, asked } = makeJanitorOf(t, world);
  await janitor.start(0);
  await settled();
  await world.tunnels.createPeer('boxgate-box_late');
  await pass(world, minute + 2 * second);
  assert.deepEqual(world.tunnels.names(), []);
  assert.deepEqual(await ledgerOf(world), []);
  assert.equal(asked.length, 4);
});

test('leaves the peer alone of a box that goes live while it is taken for due, as where clocks differ', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 0 });
  const [peer] = world.tunnels.peers;
  assert.ok(peer);
  const live = { tokenHash: new Uint8Array(32), peerId: peer.id, address: peer.address };
  const { duePeers, activateBox } = world.store;
  const store = {
    ...world.store,
    async duePeers(now: number, atMost: number) {
      const due = await duePeers(now, atMost);
      if (due.length > 0) await activateBox('box_a', live);
      return due;
    },
  };
  const { janitor, asked } = makeJanitorOf(t, world, store);
  await janitor.start(0);
  await pass(world, minute);
  assert.deepEqual(asked, []);
  assert.deepEqual(world.tunnels.names(), ['boxgate-box_a']);
});

test('takes the place of a pending box back before it asks for its peer to go', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 0 });
  const removing = world.tunnels.removePeers;
  const boxes: string[][] = [];
  world.tunnels.removePeers = async (name) => {
    boxes.push(await boxesIn(world));
    return removing(name);
  };
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(0);
  await settled();
  assert.deepEqual(boxes, [[]]);
});

test('waits for nothing that a clock that went back has put far off', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a');
  await leavePending(world, 'never', { dueInMs: 0, hasPeer: false });
  let backMs = 0;
  const clock = {
    ...world.clock,
    get ms() {
      return world.clock.ms - backMs;
    },
  };
  const { janitor, asked } = makeJanitorOf(t, { ...world, clock });
  await janitor.start(0);
  await settled();
  assert.deepEqual(asked, ['boxgate-box_never']);
  backMs = 120 * minute;
  await pass(world, 3 * second);
  assert.deepEqual(world.tunnels.names(), []);
  await pass(world, minute + 2 * second);
  assert.deepEqual(await ledgerOf(world), []);
});

test('tries again later each time, up to a minute, and says so once; then that it works again', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 0 });
  world.tunnels.fails = down;
  const { janitor, asked } = makeJanitorOf(t, world);
  const times: number[] = [];
  const began = world.clock.ms;
  await janitor.start(0);
  await settled();
  while (world.clock.ms - began < 5 * minute) {
    if (asked.length > times.length) times.push((world.clock.ms - began) / second);
    await pass(world, second);
  }
  assert.deepEqual(times.slice(0, 7), [0, 1, 3, 7, 15, 31, 63]);
  assert.deepEqual(world.warnings, [
    'peers of boxes that are gone cannot be removed yet: tunnel manager: not reachable (ECONNREFUSED): check that it runs',
  ]);
  world.tunnels.fails = null;
  await pass(world, minute);
  assert.deepEqual(world.tunnels.names(), []);
  assert.equal(world.warnings.length, 2);
  assert.match(world.warnings[1] ?? '', /removed again/);
});

test('asks a manager that refuses for one peer at a time, whatever else is due', async (t) => {
  const world = await makeTestWorld(t);
  for (let i = 0; i < 20; i += 1) await leavePending(world, `n${i}`, { dueInMs: 0 });
  world.tunnels.fails = down;
  const { janitor, asked } = makeJanitorOf(t, world);
  await janitor.start(0);
  await pass(world, 16 * second);
  assert.equal(asked.length, 5);
  assert.equal(new Set(asked).size, 5);
  world.tunnels.fails = null;
  await pass(world, 2 * minute);
  assert.deepEqual(world.tunnels.names(), []);
});

test('the next life goes on with what the ledger says of earlier tries', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 0 });
  world.tunnels.fails = down;
  const first = makeJanitorOf(t, world);
  await first.janitor.start(0);
  await pass(world, 16 * second);
  await first.janitor.stop();
  const next = makeJanitorOf(t, world);
  await next.janitor.start(0);
  await pass(world, 14 * second);
  assert.deepEqual(next.asked, []);
  world.tunnels.fails = null;
  await pass(world, 4 * second);
  assert.deepEqual(world.tunnels.names(), []);
});

test('goes on when the store fails for a while', async (t) => {
  const world = await makeTestWorld(t);
  await leavePending(world, 'a', { dueInMs: 0 });
  const { store, broken } = breakable(world.store);
  const { janitor } = makeJanitorOf(t, world, store);
  broken.add('settlePeer');
  await janitor.start(0);
  await settled();
  broken.add('duePeers');
  await pass(world, 10 * second);
  broken.clear();
  await pass(world, 3 * minute);
  assert.deepEqual(await ledgerOf(world), []);
  assert.deepEqual(world.warnings, [
    'peers of boxes that are gone cannot be removed yet: no settlePeer',
    'peers of boxes that are gone are removed again',
  ]);
});

test('a stop ends what is under way and begins nothing more', async (t) => {
  const world = await makeTestWorld(t);
  for (const name of ['a', 'b']) await leavePending(world, name, { dueInMs: 0 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const removing = world.tunnels.removePeers;
  world.tunnels.removePeers = async (name) => {
    await gate;
    return removing(name);
  };
  const { janitor } = makeJanitorOf(t, world);
  await janitor.start(0);
  let isStopped = false;
  const stopping = janitor.stop().then(() => {
    isStopped = true;
  });
  await settled();
  assert.equal(isStopped, false);
  open();
  await stopping;
  assert.deepEqual(world.tunnels.names(), ['boxgate-box_b']);
  assert.deepEqual(await ledgerOf(world), ['boxgate-box_b']);
});

test('stops at once when nothing is under way, also before it began', async (t) => {
  const world = await makeTestWorld(t);
  const { janitor } = makeJanitorOf(t, world);
  await janitor.stop();
  const other = makeJanitorOf(t, world).janitor;
  await other.start(0);
  await settled();
  await other.stop();
});
