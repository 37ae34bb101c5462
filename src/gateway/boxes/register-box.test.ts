import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TunnelFailed } from '../ports.ts';
import {
  addBox,
  breakable,
  full,
  makeTestEnvironment,
  makeTestGateway,
  refusalOf,
  settled,
  unreachable,
} from '../testing/test-gateway.ts';
import { hashOf } from '../tokens.ts';
import { registerBox } from './register-box.ts';

const token = 'the registration token';
const registration = { token, name: 'Attic', from: { address: '192.0.2.1', client: '192.0.2.1' } };

const later = 10 ** 12;

test('choice/gateway/15: checks mode, token, limit, tunnel manager in this order', async (t) => {
  const other = await makeTestGateway(t, { terms: { mode: 'shared', boxLimit: 0 } });
  assert.equal(await refusalOf(registerBox(other, { ...registration, token: 'x' })), 'modeNotImplemented');
  const none = await makeTestGateway(t, { terms: { boxLimit: 0 } });
  none.environment.tunnels.fails = unreachable;
  assert.equal(await refusalOf(registerBox(none, { ...registration, token: 'x' })), 'invalidRegistrationToken');
  assert.equal(await refusalOf(registerBox(none, registration)), 'boxLimitExceeded');
  assert.deepEqual(await none.store.listBoxes(), []);
});

test('the janitor keeps the peer of a registration in progress', async (t) => {
  const gateway = await makeTestGateway(t);
  const { tunnels } = gateway.environment;
  const { createPeer } = tunnels;
  let due: unknown[] = [];
  tunnels.createPeer = async (name) => {
    due = await gateway.store.duePeers(gateway.now() + 59_000, 10);
    assert.equal((await gateway.store.duePeers(gateway.now() + 60_000, 10)).length, 1);
    return createPeer(name);
  };
  await registerBox(gateway, registration);
  assert.deepEqual(due, []);
});

test('choice/gateway/32: a name that is in use makes a further box', async (t) => {
  const gateway = await makeTestGateway(t);
  const [one, other] = [await registerBox(gateway, registration), await registerBox(gateway, registration)];
  assert.notEqual(one.box.id, other.box.id);
  assert.deepEqual(await gateway.store.boxOfToken(hashOf(one.token)), one.box);
});

test('choice/gateway/73: stores a lone surrogate in a name as U+FFFD', async (t) => {
  const gateway = await makeTestGateway(t);
  const { name } = await registerBox(gateway, { ...registration, name: 'a\ud800' });
  assert.equal(name, 'a\ufffd');
  assert.equal((await gateway.store.listBoxes())[0]?.name, 'a\ufffd');
});

test('a peer that may remain has a pending deletion and does not count towards the limit', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { boxLimit: 1 } });
  const { tunnels } = gateway.environment;
  tunnels.fails = new TunnelFailed('no answer', { peerMayRemain: true });
  tunnels.failsAfterCreate = true;
  await assert.rejects(registerBox(gateway, registration), /no answer/);
  assert.deepEqual(await gateway.store.listBoxes(), []);
  const due = await gateway.store.duePeers(later, 10);
  assert.deepEqual(
    due.map(({ peerName }) => peerName),
    tunnels.names(),
  );
  assert.deepEqual(await gateway.store.duePeers(gateway.now() + 1999, 10), []);
  tunnels.fails = null;
  assert.equal(await refusalOf(registerBox(gateway, registration)), 'none');
});

test('should/gateway/44: a box whose registration took too long is not registered, and its peer is removed', async (t) => {
  const gateway = await makeTestGateway(t);
  const { tunnels } = gateway.environment;
  const { createPeer } = tunnels;
  tunnels.createPeer = async (name) => {
    const peer = await createPeer(name);
    await gateway.store.settlePeer(name);
    return peer;
  };
  await assert.rejects(registerBox(gateway, registration), TunnelFailed);
  assert.deepEqual(tunnels.peers, []);
  assert.deepEqual(await gateway.store.listBoxes(), []);
  assert.deepEqual(await gateway.store.duePeers(later, 10), []);
});

test('choice/gateway/18: if the store fails at the activation, box and peer are removed', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  broken.add('activateBox');
  await assert.rejects(registerBox(gateway, registration), /no activateBox/);
  assert.deepEqual(environment.tunnels.peers, []);
  assert.deepEqual(await environment.store.listBoxes(), []);
  assert.deepEqual(await environment.store.duePeers(later, 10), []);
});

test('a peer that cannot be removed keeps its pending deletion, and the operator gets a warning', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  broken.add('activateBox').add('removeBox');
  await assert.rejects(registerBox(gateway, registration), /no activateBox/);
  const due = await environment.store.duePeers(later, 10);
  assert.deepEqual(
    due.map(({ peerName }) => peerName),
    environment.tunnels.names(),
  );
  assert.match(environment.warnings.join(), /is left to be removed later: no removeBox/);
});

test('choice/gateway/36: the eleventh failure within a minute is refused after a delay', async (t) => {
  const gateway = await makeTestGateway(t);
  const { clock } = gateway.environment;
  const guess = { ...registration, token: 'x' };
  for (let i = 0; i < 10; i += 1) {
    assert.equal(await refusalOf(registerBox(gateway, guess)), 'invalidRegistrationToken');
  }
  let isAnswered = false;
  const late = refusalOf(registerBox(gateway, guess)).finally(() => (isAnswered = true));
  await settled();
  assert.equal(isAnswered, false);
  assert.equal(await refusalOf(registerBox(gateway, registration)), 'none');
  assert.equal(
    await refusalOf(registerBox(gateway, { ...guess, from: { address: '192.0.2.2', client: '192.0.2.1' } })),
    'invalidRegistrationToken',
  );
  await clock.pass(1000);
  assert.equal(await late, 'invalidRegistrationToken');
});

/** A gateway with a published box whose peer was deleted, so that the next peer gets its address. */
async function makeGatewayWithLostPeer(t: TestContext) {
  const gateway = await makeTestGateway(t);
  const { tunnels, files } = gateway.environment;
  const { box } = await addBox(gateway, 'old');
  const route = { id: 'rt_1', boxId: box.id, appName: 'blog', subdomain: 'blog', port: 80, createdAt: 1 };
  await gateway.store.insertRoute(route, 10);
  await gateway.routeFileSync.update(box.id);
  assert.deepEqual([...files.texts.keys()], ['box_old']);
  const [lost] = tunnels.peers.splice(0);
  const { createPeer } = tunnels;
  tunnels.createPeer = async (name) => ({ ...(await createPeer(name)), address: lost?.address ?? '' });
  return { gateway, tunnels, files };
}

test('should/gateway/117: the hosts of a box that had the address before do not lead to the new box', async (t) => {
  const { gateway, files } = await makeGatewayWithLostPeer(t);
  const { box } = await registerBox(gateway, registration);
  assert.deepEqual([...files.texts.keys()], []);
  assert.deepEqual(gateway.environment.warnings, [
    `box_old has lost its address at the tunnel manager to ${box.id}: its routes are withdrawn; ` +
      'remove it with `boxgate gateway boxes remove box_old` and let it join again',
  ]);
});

test('should/gateway/117: a box is not registered while other hosts lead to it', async (t) => {
  const { gateway, tunnels, files } = await makeGatewayWithLostPeer(t);
  files.fails = full;
  await assert.rejects(registerBox(gateway, registration), full);
  assert.deepEqual(tunnels.peers, []);
  assert.deepEqual(
    (await gateway.store.listBoxes()).map(({ id }) => id),
    ['box_old'],
  );
  assert.equal(await gateway.store.publishedBox('box_old'), null);
});
