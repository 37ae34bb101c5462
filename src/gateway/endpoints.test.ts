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

test('gateway/rules/1, choice/gateway/4: a parameter is one non-empty segment', () => {
  for (const [method, path] of [
    ['POST', '/v1/boxes//heartbeat'],
    ['POST', '/v1/boxes/a/b/heartbeat'],
    ['POST', '/v1/boxes/heartbeat'],
    ['POST', '/v1/boxes/a/heartbeat/heartbeat'],
    ['DELETE', '/v1/routes/'],
    ['DELETE', '/v1/routes/a/b'],
    ['DELETE', '/v1/routes'],
  ] as const) {
    assert.equal(matchEndpoint(method, path), null, `${method} ${path}`);
  }
});

test('gateway/endpoints/9, gateway/endpoints/10, choice/gateway/4: finds nothing else', () => {
  for (const [method, path] of [
    ['HEAD', '/healthz'],
    ['POST', '/healthz'],
    ['GET', '/healthz/'],
    ['GET', '/v1/healthz'],
    ['GET', '/v1/boxes/register'],
    ['PUT', '/v1/routes'],
    ['GET', '/v1/routes/rt_a'],
    ['get', '/healthz'],
    ['GET', '/v1/accounts'],
    ['GET', '*'],
  ] as const) {
    assert.equal(matchEndpoint(method, path), null, `${method} ${path}`);
  }
});
