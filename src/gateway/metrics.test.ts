import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHandlers } from './handlers.ts';
import { makeGatewayMetrics } from './metrics.ts';
import { RouteFilesFailed } from './ports.ts';
import { addBox, breakable, makeTestEnvironment, makeTestGateway, unreachable } from './testing/test-gateway.ts';
import { hashOf } from './tokens.ts';

/** The value of each `boxgate_` line, by name and labels. */
async function values({ text }: { text(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await text()).split('\n').filter((line) => line.startsWith('boxgate_'));
  const entries = lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))] as const);
  return new Map(entries.map(([name, value]) => [name.replace('boxgate_gateway_', ''), value]));
}

const quiet = { storeProblem: async () => null, trafficText: async () => '' };
const wanted = (subdomain: string) => ({ app_name: 'memos', subdomain, port: 5230 });

test('choice/gateway/333: counts boxes, routes, heartbeats and changes, without their names', async (t) => {
  const gateway = await makeTestGateway(t);
  const metrics = makeGatewayMetrics(gateway, quiet, '1.2.3');
  const observed = metrics.observed(gateway);
  const handlers = makeHandlers(observed);
  const { box, token } = await addBox(gateway, 'attic');
  await addBox(gateway, 'cellar');
  const caller = { box, tokenHash: hashOf(token) };
  await handlers.publishRoute(wanted('notes'), caller);
  await handlers.heartbeatBox({ box_id: box.id }, { ...caller, from: { address: '192.0.2.1', boot: '' } });
  await observed.heartbeats.flush();
  const from = { address: '192.0.2.1', client: '192.0.2.1' };
  const registration = { registration_token: 'wrong', box_name: 'n' };
  await assert.rejects(async () => handlers.registerBox(registration, from));
  await handlers.registerBox({ ...registration, registration_token: 'the registration token' }, from);
  const seen = await values(metrics);
  assert.equal(seen.get('boxes{state="active"}'), 3);
  assert.equal(seen.get('boxes{state="pending"}'), 0);
  assert.equal(seen.get('active_boxes'), 1);
  assert.equal(seen.get('routes'), 1);
  assert.equal(seen.get('heartbeats_total'), 1);
  assert.equal(seen.get('registrations_total{result="wrong_token"}'), 1);
  assert.equal(seen.get('registrations_total{result="ok"}'), 1);
  assert.equal(seen.get('changes_total{operation="publish",result="ok"}'), 1);
  assert.equal(seen.get('changes_total{operation="join",result="ok"}'), 1);
  assert.equal(seen.get('pending_peer_deletions'), 0);
  assert.equal(seen.get('invalid_route_files'), 0);
  assert.equal(seen.get('store_up'), 1);
  assert.equal(seen.get('tunnel_manager_up'), 1);
  assert.equal(gateway.environment.changes.length, 2, 'the journal has its lines all the same');
  assert.doesNotMatch(await metrics.text(), /attic|notes|memos|192\.0\.2|box_/);
  await gateway.environment.clock.pass(11 * 60_000);
  assert.equal((await values(metrics)).get('active_boxes'), 0);
});

test('tells the traffic of each route by the ids of box and route, also if the proxy does not answer', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'attic');
  const { body } = await makeHandlers(gateway).publishRoute(wanted('notes'), {
    box,
    tokenHash: hashOf(token),
  });
  const label = `router="boxgate-${body.id}@file"`;
  let text = `traefik_router_requests_total{code="200",${label}} 3\ntraefik_router_responses_bytes_total{${label}} 90\n`;
  const metrics = makeGatewayMetrics(gateway, { ...quiet, trafficText: async () => text }, '1.2.3');
  const of = `{box="${box.id}",route="${body.id}"}`;
  const seen = await values(metrics);
  assert.equal(seen.get(`route_requests_total${of}`), 3);
  assert.equal(seen.get(`route_received_bytes_total${of}`), 0);
  assert.equal(seen.get(`route_sent_bytes_total${of}`), 90);
  text = '';
  assert.equal((await values(metrics)).has(`route_requests_total${of}`), false);
});

test('choice/gateway/333: reports a failing store, a full disk and invalid route files', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  let problem: string | null = null;
  const metrics = makeGatewayMetrics(gateway, { ...quiet, storeProblem: async () => problem }, '1.2.3');
  const observed = metrics.observed(gateway);
  problem = 'the disk is full';
  assert.equal((await values(metrics)).get('store_up'), 0);
  problem = null;
  assert.equal((await values(metrics)).get('store_up'), 1);

  broken.add('touchBoxes');
  observed.heartbeats.touch('box_a', { address: '192.0.2.1', boot: '' });
  await observed.heartbeats.flush();
  assert.equal((await values(metrics)).get('store_up'), 0, 'heartbeats cannot be written');
  broken.delete('touchBoxes');
  await observed.heartbeats.flush();
  assert.equal((await values(metrics)).get('store_up'), 1);

  broken.add('listBoxes');
  broken.add('duePeers');
  environment.files.invalidFiles = async () => {
    throw new RouteFilesFailed('the routes directory is not there');
  };
  const seen = await values(metrics);
  assert.equal(seen.get('store_up'), 0);
  const absent = ['boxes{state="active"}', 'active_boxes', 'routes', 'pending_peer_deletions'];
  for (const name of [...absent, 'invalid_route_files']) assert.equal(seen.has(name), false, name);
});

test('choice/gateway/333: checks the tunnel manager once a minute, with a time limit', async (t) => {
  const gateway = await makeTestGateway(t);
  const { tunnels, clock } = gateway.environment;
  let asked = 0;
  let isHanging = false;
  const tunnelManager = {
    ...tunnels,
    async listPeers() {
      asked += 1;
      if (isHanging) await new Promise(() => undefined);
      if (tunnels.fails !== null) throw tunnels.fails;
      return [];
    },
  };
  const metrics = makeGatewayMetrics({ ...gateway, tunnelManager }, quiet, '1.2.3');
  const isUp = async () => (await values(metrics)).get('tunnel_manager_up');
  tunnels.fails = unreachable;
  assert.equal(await isUp(), 0);
  tunnels.fails = null;
  await clock.pass(59_999);
  assert.equal(await isUp(), 0);
  assert.equal(asked, 1);
  await clock.pass(1);
  assert.equal(await isUp(), 1);
  isHanging = true;
  await clock.pass(60_000);
  const scrape = isUp();
  await clock.pass(5000);
  assert.equal(await scrape, 0);
  assert.equal(asked, 3);
});
