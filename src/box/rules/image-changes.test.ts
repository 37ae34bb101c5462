import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageChanges } from './image-changes.ts';

const local = new Map([
  ['web:1', 'new-web'],
  ['db:1', 'db'],
  ['aux:1', 'new-aux'],
]);

test('reports a service whose container runs another image than the local one of its tag, by name', () => {
  const running = [
    { service: 'web', imageId: 'old-web', tag: 'web:1' },
    { service: 'db', imageId: 'db', tag: 'db:1' },
    { service: 'aux', imageId: 'old-aux', tag: 'aux:1' },
    { service: 'zoo', imageId: 'old-zoo', tag: 'web:1' },
  ];
  assert.deepEqual(imageChanges(running, local), [
    { service: 'aux', from: 'old-aux', to: 'new-aux', tag: 'aux:1' },
    { service: 'web', from: 'old-web', to: 'new-web', tag: 'web:1' },
    { service: 'zoo', from: 'old-zoo', to: 'new-web', tag: 'web:1' },
  ]);
});

test('reports a service of several containers once', () => {
  const running = [
    { service: 'web', imageId: 'new-web', tag: 'web:1' },
    { service: 'web', imageId: 'old-1', tag: 'web:1' },
    { service: 'web', imageId: 'old-2', tag: 'web:1' },
  ];
  assert.deepEqual(imageChanges(running, local), [
    { service: 'web', from: 'old-1', to: 'new-web', tag: 'web:1' },
  ]);
});

test('does not compare a service whose tag has no local image', () => {
  assert.deepEqual(imageChanges([{ service: 'x', imageId: 'a', tag: 'gone:1' }], local), []);
  assert.deepEqual(imageChanges([], local), []);
});
