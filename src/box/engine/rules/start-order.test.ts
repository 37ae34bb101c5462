import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import type { Container } from './container.ts';
import { startOrder, startSteps } from './start-order.ts';

const container = (service: string, startedAt: number, fields: Partial<Container> = {}) =>
  sampleContainer('a', { id: service, service, startedAt, ...fields });
const needs = (...services: string[]) => ({ needs: services.map((service) => ({ service, healthy: true })) });

test('containers that others need are started first, whatever started first after a restart of the machine', () => {
  const containers = [
    container('web', 1, needs('db', 'setup')),
    container('side', 2, { networkOf: 'web' }),
    container('db', 4, { health: 'healthy' }),
    container('cache', 3),
    sampleContainer('mine', { id: 'other', service: 'db', startedAt: 5 }),
  ];
  assert.deepEqual(startSteps(containers), [
    { ids: ['cache', 'db', 'other'], healthy: ['db'] },
    { ids: ['web'], healthy: [] },
    { ids: ['side'], healthy: [] },
  ]);
});

test('nothing waits for a container that was not healthy, nor without a word of it', () => {
  const sick = [container('web', 2, needs('db')), container('db', 1, { health: 'unhealthy' })];
  assert.deepEqual(
    startSteps(sick).map(({ healthy }) => healthy),
    [[], []],
  );
  const calm = [
    container('web', 2, { needs: [{ service: 'db', healthy: false }] }),
    container('db', 1, { health: 'healthy' }),
  ];
  assert.deepEqual(
    startSteps(calm).map(({ healthy }) => healthy),
    [[], []],
  );
});

test('containers that need each other are started together', () => {
  const circle = [container('a', 1, needs('b')), container('b', 2, needs('a')), container('c', 3, needs('c'))];
  assert.deepEqual(
    startOrder(circle).map((group) => group.map(({ id }) => id)),
    [['a', 'b', 'c']],
  );
});
