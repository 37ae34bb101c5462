import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldRefusal, requestInput } from './requests.ts';
import type { OperationId } from './validators.gen.ts';

const inputOf = (operationId: OperationId, body: unknown, params = {}) =>
  requestInput({ operationId, params }, body as Record<string, unknown>);

const refusalOf = (operationId: OperationId, body: unknown, params = {}) =>
  fieldRefusal({ operationId, params }, body as Record<string, unknown>);

test('gives a handler the path parameters and the documented fields, and nothing else', () => {
  assert.deepEqual(inputOf('installApp', { name: 'a', settings: { A: 1 }, extra: 1 }), {
    name: 'a',
    settings: { A: 1 },
  });
  assert.deepEqual(inputOf('installApp', { name: 'a' }), { name: 'a' });
  assert.deepEqual(inputOf('updateAppSettings', { name: 'other', settings: {} }, { name: 'a' }), {
    name: 'a',
    settings: {},
  });
  assert.deepEqual(inputOf('updateApp', { anything: 1, without_backup: 'yes' }, { name: 'a' }), { name: 'a' });
  assert.deepEqual(inputOf('updateApp', { without_backup: true }, { name: 'a' }), { name: 'a', without_backup: true });
  assert.deepEqual(inputOf('listApps', {}), {});
});

test('choice/box/242: decodes a name in a path, but not one in a body', () => {
  const sent = { name: 'Gr%C3%BC%C3%9Fe%201' };
  assert.deepEqual(inputOf('updateApp', {}, sent), { name: 'Grüße 1' });
  assert.deepEqual(inputOf('updateApp', {}, { name: '%2e%2e' }), { name: '%2e%2e' });
  assert.deepEqual(inputOf('removeApp', sent), sent);
});

test('a name from the prototype of objects is no field', () => {
  assert.equal(refusalOf('removeApp', JSON.parse('{"__proto__": {"name": "a"}}')), 'nameMissing');
  assert.deepEqual(inputOf('removeApp', JSON.parse('{"name": "__proto__", "__proto__": 1}')), { name: '__proto__' });
});
