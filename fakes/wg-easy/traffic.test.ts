import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchTraffic } from './traffic.ts';

const create = { method: 'POST', path: '/api/client', headers: {}, body: '{"name":"a"}' };

test('tells what is under way from what somebody waits for', () => {
  const traffic = watchTraffic(() => 0);
  const first = traffic.begin(create, 'create');
  // Whoever asked was killed; what it asked for goes on.
  traffic.leave(first);
  traffic.begin(create, 'create');
  const { maxMutationsInFlight, maxMutationsAwaited } = traffic.counters();
  assert.deepEqual([maxMutationsInFlight, maxMutationsAwaited], [2, 1]);
});
