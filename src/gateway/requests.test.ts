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

test('gateway/registerBox/2, gateway/registerBox/3, choice/gateway/28: names the fields that a registration needs', () => {
  const refused = '400 registration_token and box_name are required';
  assert.equal(refusalOf('registerBox', {}), refused);
  for (const field of ['registration_token', 'box_name']) {
    for (const value of [undefined, null, '']) {
      assert.equal(refusalOf('registerBox', { ...registration, [field]: value }), refused);
    }
  }
});

test('reports a missing field before an invalid one', () => {
  assert.match(refusalOf('publishRoute', { app_name: ' ', subdomain: 'A' }), /are required$/);
  assert.match(refusalOf('registerBox', { registration_token: 1 }), /are required$/);
});

test('choice/gateway/28: names the first invalid field and its rule', () => {
  assert.equal(
    refusalOf('registerBox', { registration_token: 1, box_name: 2 }),
    '400 registration_token must be a string',
  );
  assert.match(refusalOf('publishRoute', { app_name: '', subdomain: 1, port: '' }), /are required/);
  assert.match(refusalOf('publishRoute', { app_name: '-', subdomain: 'A', port: 0 }), /^400 app_name must be /);
  assert.match(refusalOf('publishRoute', { ...route, subdomain: 'A', port: 0 }), /^400 subdomain must be /);
  assert.equal(refusalOf('publishRoute', { ...route, port: '' }), '400 port must be an integer from 1 to 65535');
  const login = { login: 'ada', password_hash: `$2b$04$${'a'.repeat(53)}` };
  for (const [valid, ...others] of [
    [login, { ...login, login: 'a:b' }, { ...login, login: 'a\n' }, { ...login, login: `${'a'.repeat(64)}` }],
    [
      { ...login, later: 1 },
      { ...login, password_hash: login.password_hash.replace('04', '31') },
      { ...login, login: 1 },
    ],
    [{ allow: ['::1'] }, { allow: [] }, { allow: ['`'] }, { allow: '::1' }, { allow: Array(33).fill('::1') }],
    [{ open_paths: ['/a/*', '/.well-known/x', '/a/'] }, { open_paths: ['/*'] }, { open_paths: ['/a/../b'] }],
    [
      { open_paths: ['/a..b'] },
      { open_paths: ['/a`)'] },
      { open_paths: ['a'] },
      { open_paths: ['/{{a}}'] },
      {},
      null,
      [],
    ],
  ]) {
    assert.equal(refusalOf('publishRoute', { ...route, access: valid }), 'none', JSON.stringify(valid));
    for (const access of others) {
      assert.match(refusalOf('publishRoute', { ...route, access }), /^400 access must be an object of/);
    }
  }
});

const valid = {
  registerBox: { box_name: ['a', 'Sørens bøx', '🗻', ' ', '🏠'.repeat(128)] },
  publishRoute: {
    app_name: ['a', 'A', '0', 'a.b_c-D', 'a..', 'null', 'x'.repeat(63)],
    subdomain: ['a', '0', 'a--b', 'xn-a', 'xm--a', 'n--a', 'x'.repeat(63)],
    port: [1, 80, 65535],
  },
};
const invalid = {
  registerBox: {
    box_name: ['🏠'.repeat(129), 'a\n', 'a\u007f', 'a\u0085', 7, {}],
    registration_token: [7, true, [], {}],
  },
  publishRoute: {
    app_name: ['-a', '.a', '_a', 'a b', 'a/b', 'ä', 'a`', 'a\n', '../x', 'x'.repeat(64), 7, true, ['a'], {}],
    subdomain: [
      'A', '-a', 'a-', '-', 'a.b', 'a_b', 'a b', 'ä', 'a\n', 'a`', '*', 'x'.repeat(64), 'xn--a', 'XN--A', ' a', 'a ', '{{a}}',
      'a"b', 7, true, ['a'], {},
    ], // biome-ignore format: a table
    port: [0, -1, 65536, 1.5, '80', '', ' ', true, [80], {}, 1e300],
  },
};
const whole = { registerBox: registration, publishRoute: route };

for (const operation of ['registerBox', 'publishRoute'] as const) {
  test(`choice/gateway/73: the values that the fields of ${operation} may have`, () => {
    for (const [field, values] of Object.entries(valid[operation])) {
      for (const value of values) assert.equal(refusalOf(operation, { ...whole[operation], [field]: value }), 'none');
    }
    for (const [field, values] of Object.entries(invalid[operation])) {
      for (const value of values) {
        const refusal = refusalOf(operation, { ...whole[operation], [field]: value });
        assert.match(refusal, new RegExp(`^400 ${field} must be `), JSON.stringify(value));
      }
    }
  });
}

test('ignores properties of Object.prototype', () => {
  const body = JSON.parse('{"__proto__": {"registration_token": "t", "box_name": "n"}}');
  assert.match(refusalOf('registerBox', body), /are required$/);
});
