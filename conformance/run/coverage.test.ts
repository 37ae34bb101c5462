import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxContract } from '../checks/box/contract.ts';
import { gatewayContract } from '../checks/gateway/contract.ts';
import { observedIn } from '../kernel/raw-exchange.ts';
import { coverageFaults, observeTraffic } from './coverage.ts';

const asked = (method: string, path: string, status: number, body: unknown = undefined) => ({
  method,
  path,
  status,
  requestBody: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
});

async function seen(api: 'box' | 'gateway', ...requests: ReturnType<typeof asked>[]): Promise<string[]> {
  const observer = await observeTraffic(api, api === 'box' ? boxContract : gatewayContract);
  for (const request of requests) observer.observe(request);
  return observer
    .coverage()
    .operations.flatMap(({ operation, statuses, constraints }) =>
      [...statuses, ...constraints]
        .filter(({ times }) => times > 0)
        .map(({ name, times }) => `${operation} ${name} ${times}`),
    );
}

test('counts documented statuses only', async () => {
  const requests = [
    asked('GET', '/v1/routes', 200),
    asked('GET', '/v1/routes?x', 200),
    asked('GET', '/v1/routes', 418),
  ];
  assert.deepEqual(await seen('gateway', ...requests), ['listRoutes 200 2']);
});

test('counts the violated constraints of a body', async () => {
  const port = (value: unknown) => asked('POST', '/v1/routes', 400, { app_name: 'a', subdomain: 'a', port: value });
  assert.deepEqual(await seen('gateway', port(65536), port(0), port('1')), [
    'publishRoute 400 3',
    'publishRoute body.port type 1',
    'publishRoute body.port minimum 1',
    'publishRoute body.port maximum 1',
  ]);
  const missing = asked('POST', '/v1/boxes/register', 400, { box_name: '' });
  assert.deepEqual(await seen('gateway', missing), [
    'registerBox 400 1',
    'registerBox body required/registration_token 1',
    'registerBox body.box_name minLength 1',
  ]);
});

test('counts the violated constraints of a path parameter', async () => {
  assert.deepEqual(await seen('box', asked('GET', '/api/apps//settings', 400)), [
    'getAppSettings 400 1',
    'getAppSettings name minLength 1',
    'getAppSettings name pattern 1',
  ]);
});

test('counts a 405 at each operation of the path', async () => {
  assert.deepEqual(await seen('box', asked('PUT', '/api/apps/x/settings', 405)), [
    'getAppSettings 405 1',
    'updateAppSettings 405 1',
  ]);
});

test('matches requests sent as bytes with their responses', () => {
  const answer = { headers: {}, body: Buffer.alloc(0), text: '', json: undefined };
  const answers = [
    { ...answer, status: 200 },
    { ...answer, status: 400 },
  ];
  const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const found = observedIn(
    { parts: [one, 10, 'GET /v1/routes HTTP/x\r\n\r\n', one] },
    { responses: answers, closed: true, isLate: false, bytes: Buffer.alloc(0) },
  );
  assert.deepEqual(
    found.map(({ path, status }) => [path, status]),
    [
      ['/healthz', 200],
      ['/v1/routes', 400],
    ],
  );
});

test('reports gaps without a reason, and reasons without a gap', async () => {
  const nothing = (await observeTraffic('gateway', gatewayContract)).coverage();
  assert.equal(nothing.seen, 0);
  assert.equal(nothing.gaps.length, nothing.points);
  const open = coverageFaults('gateway', nothing);
  assert.ok(open.includes('listRoutes 200: not covered, without a reason'));
  assert.ok(!open.some((fault) => fault.startsWith('listRoutes 500')));
  const idle = coverageFaults('gateway', { ...nothing, gaps: [] });
  assert.ok(idle.includes('all 500: has a reason but is covered'));
  assert.ok(idle.includes('unpublishRoute route_id pattern: has a reason but is covered'));
});
