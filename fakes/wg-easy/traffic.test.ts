import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchTraffic } from './traffic.ts';

const create = { method: 'POST', path: '/api/client', headers: {}, body: '{"name":"a"}' };

test('counts mutations in flight and awaited mutations separately', () => {
  const traffic = watchTraffic(() => 0);
  const first = traffic.begin(create, 'create');
  // The client was killed; its mutation continues.
  traffic.leave(first);
  traffic.begin(create, 'create');
  const { maxMutationsInFlight, maxMutationsAwaited } = traffic.counters();
  assert.deepEqual([maxMutationsInFlight, maxMutationsAwaited], [2, 1]);
});
