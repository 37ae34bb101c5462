import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints, matchEndpoint } from './endpoints.ts';

test('finds every operation of the document by its method and path', () => {
  for (const { operationId, method, path } of endpoints) {
    const match = matchEndpoint(method, path.replace(/\{\w+\}/, 'x%2Fy'));
    assert.equal(match?.operationId, operationId);
    for (const value of Object.values(match?.params ?? {})) assert.equal(value, 'x%2Fy');
  }
});
