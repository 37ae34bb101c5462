import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../refusals.ts';
import { publishRoute } from '../routes/routes.ts';
import {
  addBox,
  breakable,
  full,
  makeTestEnvironment,
  makeTestGateway,
  type TestGateway,
  unreachable,
} from '../testing/test-gateway.ts';
import { deregisterBox, heartbeatBox, rotateBoxToken } from './boxes.ts';

const later = 10 ** 12;
const notes = { appName: 'notes', subdomain: 'notes', port: 80 };

async function seenAt({ environment }: TestGateway, id: string) {
  return (await environment.store.listBoxes()).find((box) => box.id === id)?.lastSeenAt;
}

test('gateway/states/4: only a heartbeat changes when the box was last seen', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'a');
  const tokenHash = gateway.tokens.hash(token);
  await rotateBoxToken(gateway, { box, tokenHash });
  await publishRoute(gateway, box, notes);
  await gateway.heartbeats.flush();
  assert.equal(await seenAt(gateway, box.id), null);
  heartbeatBox(gateway, { box, tokenHash, from: { address: '192.0.2.1', boot: '' } });
  await gateway.heartbeats.flush();
  assert.equal(await seenAt(gateway, box.id), gateway.environment.clock.ms);
});

test('gateway/states/3, gateway/auth/13: a rotation replaces the token', async (t) => {
  const gateway = await makeTestGateway(t);
  const { store, tokens } = gateway;
  const { box, token } = await addBox(gateway, 'a');
  const next = await rotateBoxToken(gateway, { box, tokenHash: tokens.hash(token) });
  assert.notEqual(next, token);
  assert.deepEqual(await store.boxOfToken(tokens.hash(next)), box);
  assert.equal(await store.boxOfToken(tokens.hash(token)), null);
});

test('should/gateway/63: one of two simultaneous rotations succeeds', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'a');
  const caller = { box, tokenHash: gateway.tokens.hash(token) };
  const outcomes = await Promise.allSettled([rotateBoxToken(gateway, caller), rotateBoxToken(gateway, caller)]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const lost = outcomes.find((outcome) => outcome.status === 'rejected');
  assert.ok(lost?.reason instanceof Refusal && lost.reason.refusal === 'invalidBoxToken');
});

test('gateway/states/5, gateway/states/6, should/gateway/70: a removed box leaves nothing', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { boxLimit: 1 } });
  const { box, token } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, notes);
  await deregisterBox(gateway, box);
  const { store, tunnels, files } = gateway.environment;
  assert.deepEqual(await store.listBoxes(), []);
  assert.equal(await store.boxOfToken(gateway.tokens.hash(token)), null);
  assert.deepEqual([tunnels.peers, [...files.texts]], [[], []]);
  assert.deepEqual(await store.duePeers(later, 10), []);
  const other = await addBox(gateway, 'b');
  assert.equal((await publishRoute(gateway, other.box, notes)).subdomain, 'notes');
});

test('the file is removed before the row, then by every other process, and the peer last', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, notes);
  const { store, tunnels, files } = gateway.environment;
  const seen: string[] = [];
  const { removeBox } = store;
  const { removePeers } = tunnels;
  gateway.store.removeBox = async (...args) => {
    seen.push(`row, ${files.texts.size} files`);
    return removeBox(...args);
  };
  gateway.store.syncedElsewhere = async () => {
    seen.push(`elsewhere, ${(await store.listBoxes()).length} boxes`);
  };
  tunnels.removePeers = async (name) => {
    seen.push('peer');
    return removePeers(name);
  };
  await deregisterBox(gateway, box);
  assert.deepEqual(seen, ['row, 0 files', 'elsewhere, 0 boxes', 'peer']);
});

test('should/gateway/69: a box is removed although the tunnel manager is down', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  gateway.environment.tunnels.fails = unreachable;
  await deregisterBox(gateway, box);
  assert.deepEqual(await gateway.store.listBoxes(), []);
  const due = await gateway.store.duePeers(gateway.now() + 5000, 10);
  assert.deepEqual(
    due.map(({ peerName }) => peerName),
    ['boxgate-box_a'],
  );
  assert.deepEqual(await gateway.store.duePeers(gateway.now() + 4999, 10), []);
});

test('choice/gateway/88: while its file cannot be removed, the box is gone but its peer keeps the address', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, notes);
  gateway.environment.files.fails = full;
  await deregisterBox(gateway, box);
  assert.deepEqual(await gateway.store.listBoxes(), []);
  assert.equal(gateway.environment.tunnels.peers.length, 1);
  const due = await gateway.store.duePeers(gateway.now() + 5000, 10);
  assert.deepEqual(
    due.map(({ peerName }) => peerName),
    ['boxgate-box_a'],
  );
  assert.deepEqual(gateway.environment.warnings, [
    'the routes directory is on a disk that is full (/routes/a.tmp)',
    'boxgate-box_a is left to be removed later: the routes directory is on a disk that is full (/routes/a.tmp)',
  ]);
});

test('restores the file if the store fails', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  const { box } = await addBox(gateway, 'a');
  await publishRoute(gateway, box, notes);
  const text = environment.files.texts.get(box.id);
  broken.add('removeBox');
  await assert.rejects(deregisterBox(gateway, box), /no removeBox/);
  assert.equal(environment.files.texts.get(box.id), text);
  broken.clear();
  await deregisterBox(gateway, box);
  assert.deepEqual([...environment.files.texts], []);
});

test('a route that is published during the deregistration leaves no file', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  await Promise.allSettled([
    deregisterBox(gateway, box),
    publishRoute(gateway, box, notes),
    publishRoute(gateway, box, { ...notes, subdomain: 'b' }),
  ]);
  assert.deepEqual([...gateway.environment.files.texts], []);
  assert.deepEqual(gateway.environment.tunnels.peers, []);
});

test('one of two simultaneous deregistrations gets an invalid token', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box } = await addBox(gateway, 'a');
  const outcomes = await Promise.allSettled([deregisterBox(gateway, box), deregisterBox(gateway, box)]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.deepEqual(gateway.environment.tunnels.peers, []);
});
