import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from './refusals.ts';
import { type RequestInput, requestInput } from './requests.ts';
import type { OperationId } from './validators.gen.ts';

const inputOf = (operationId: OperationId, body: unknown, params = {}) =>
  requestInput({ operationId, params }, body as RequestInput);

function refusalOf(operationId: OperationId, body: unknown): string {
  try {
    inputOf(operationId, body);
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.message}`;
    throw error;
  }
  return 'none';
}

const registration = { registration_token: 't', box_name: 'n' };
const route = { app_name: 'a', subdomain: 's', port: 1 };

test('returns path parameters and documented fields, and nothing else', () => {
  assert.deepEqual(inputOf('registerBox', { ...registration, extra: 1 }), registration);
  assert.deepEqual(inputOf('publishRoute', { ...route, id: 'x' }), route);
  assert.deepEqual(inputOf('heartbeatBox', { box_id: 'other' }, { box_id: 'a' }), { box_id: 'a' });
  assert.deepEqual(inputOf('unpublishRoute', {}, { route_id: 'r' }), { route_id: 'r' });
});

test('gateway/registerBox/2, gateway/registerBox/3, choice/gateway/27: names the fields that a registration needs', () => {
  const refused = '400 registration_token and box_name are required';
  assert.equal(refusalOf('registerBox', {}), refused);
  for (const field of ['registration_token', 'box_name']) {
    for (const value of [undefined, null, '']) {
      assert.equal(refusalOf('registerBox', { ...registration, [field]: value }), refused);
    }
  }
});

test('gateway/publishRoute/2-5: names the fields that a route needs', () => {
  const refused = '400 app_name, subdomain, and port are required';
  assert.equal(refusalOf('publishRoute', {}), refused);
  for (const field of ['app_name', 'subdomain', 'port']) {
    for (const value of field === 'port' ? [undefined, null] : [undefined, null, '']) {
      assert.equal(refusalOf('publishRoute', { ...route, [field]: value }), refused);
    }
  }
});

test('reports a missing field before an invalid one', () => {
  assert.match(refusalOf('publishRoute', { app_name: ' ', subdomain: 'A' }), /are required$/);
  assert.match(refusalOf('registerBox', { registration_token: 1 }), /are required$/);
});

test('choice/gateway/28, choice/gateway/29: names the first invalid field and its rule', () => {
  assert.equal(
    refusalOf('registerBox', { registration_token: 1, box_name: 2 }),
    '400 registration_token must be a string',
  );
  assert.match(refusalOf('registerBox', { ...registration, box_name: 'a\n' }), /^400 box_name must be a string/);
  assert.match(refusalOf('publishRoute', { app_name: '', subdomain: 1, port: '' }), /are required/);
  assert.match(refusalOf('publishRoute', { app_name: '-', subdomain: 'A', port: 0 }), /^400 app_name must be /);
  assert.match(refusalOf('publishRoute', { ...route, subdomain: 'A', port: 0 }), /^400 subdomain must be /);
  for (const port of [0, 65536, 1.5, '80', '', true, [], {}]) {
    assert.equal(
      refusalOf('publishRoute', { ...route, port }),
      '400 port must be an integer from 1 to 65535',
      JSON.stringify(port),
    );
  }
});

test('ignores properties of Object.prototype', () => {
  const body = JSON.parse('{"__proto__": {"registration_token": "t", "box_name": "n"}}');
  assert.match(refusalOf('registerBox', body), /are required$/);
});
