import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishRoute } from '../routes/routes.ts';
import {
  addBox,
  breakable,
  full,
  makeTestEnvironment,
  makeTestGateway,
  type TestGateway,
} from '../testing/test-gateway.ts';
import { hashOf } from '../tokens.ts';
import { deregisterBox, heartbeatBox, rotateBoxToken } from './boxes.ts';

const notes = { appName: 'notes', subdomain: 'notes', port: 80 };

async function seenAt({ environment }: TestGateway, id: string) {
  return (await environment.store.listBoxes()).find((box) => box.id === id)?.lastSeenAt;
}

test('gateway/states/4: only a heartbeat changes when the box was last seen', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'a');
  const tokenHash = hashOf(token);
  await rotateBoxToken(gateway, { box, tokenHash });
  await publishRoute(gateway, box, notes);
  await gateway.heartbeats.flush();
  assert.equal(await seenAt(gateway, box.id), null);
  heartbeatBox(gateway, { box, tokenHash, from: { address: '192.0.2.1', boot: '' } });
  await gateway.heartbeats.flush();
  assert.equal(await seenAt(gateway, box.id), gateway.environment.clock.ms);
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
