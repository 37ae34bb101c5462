import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Costs, type Load, simulate } from './fleet.ts';

const costs: Costs = {
  heartbeat: 50,
  change: 1000,
  lookUpStatement: 100,
  lookUpToken: 5,
  touchTransaction: 500,
  touchBox: 5,
  publishTransaction: 600,
  readPublishedBox: 100,
  roundTrip: 300,
  sync: 1000,
  manager: 100_000,
};
const load: Load = {
  processes: 2,
  databaseCores: 1,
  boxes: 6000,
  heartbeatSeconds: 60,
  publishesPerSecond: 2,
  registrationsPerSecond: 1,
};

test('a heartbeat that waits for nobody takes its own time', () => {
  const { heartbeatMs, fallsBehind } = simulate(load, costs, 1);
  const alone = (costs.heartbeat + costs.roundTrip + costs.lookUpStatement + costs.lookUpToken) / 1000;
  assert.ok(Math.abs(heartbeatMs.p50 - alone) < 0.001, `${heartbeatMs.p50} and not ${alone}`);
  assert.deepEqual(fallsBehind, []);
});

test('the share of a resource is what came in times what each takes', () => {
  const only = { ...load, boxes: 60_000, publishesPerSecond: 0, registrationsPerSecond: 0 };
  const { utilisation } = simulate(only, { ...costs, heartbeat: 500 }, 1);
  assert.ok(Math.abs(utilisation['gateway CPU'] - 0.25) < 0.02, `${utilisation['gateway CPU']}`);
});

test('look-ups go in larger groups when the database is busy, so that it keeps up', () => {
  const calm = simulate(load, costs, 1);
  const busy = simulate({ ...load, boxes: 60_000 }, { ...costs, lookUpStatement: 5000 }, 1);
  assert.ok(calm.tokensPerStatement < 1.1);
  assert.ok(busy.tokensPerStatement > 3);
  assert.equal(busy.fallsBehind.includes('heartbeats'), false);
});

test('registrations fall behind when they come faster than the tunnel manager makes peers', () => {
  assert.deepEqual(simulate({ ...load, registrationsPerSecond: 20 }, costs, 1).fallsBehind, [
    'registrations',
  ]);
});

test('the same seed gives the same figures', () => {
  assert.deepEqual(simulate(load, costs, 3), simulate(load, costs, 3));
  assert.notDeepEqual(simulate(load, costs, 3), simulate(load, costs, 4));
});
