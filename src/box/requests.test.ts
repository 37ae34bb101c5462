import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldRefusal, hasName, requestInput } from './requests.ts';
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

test('refuses the fields of an install in the order of the document', () => {
  for (const name of [undefined, null, '', 1, true, [], {}]) {
    assert.equal(refusalOf('installApp', { name, settings: 1 }), 'nameMissing', JSON.stringify(name));
  }
  for (const settings of [1, '', 'x', true, []]) {
    assert.equal(refusalOf('installApp', { name: 'a', settings }), 'settingsNotObject', JSON.stringify(settings));
  }
  assert.equal(refusalOf('installApp', { name: 'a', settings: null }), null);
});

test('refuses the fields of a settings update: the name in the path first', () => {
  for (const name of ['', '/', 'a/b', '/a', 'a/']) {
    assert.equal(refusalOf('updateAppSettings', {}, { name }), 'invalidAppName', name);
  }
  for (const settings of [undefined, null, 1, '', true, []]) {
    assert.equal(refusalOf('updateAppSettings', { settings }, { name: 'a' }), 'settingsMissing');
  }
  assert.equal(refusalOf('updateAppSettings', { settings: {} }, { name: '..' }), null);
});

test('refuses an empty or slashed name in every path that has one', () => {
  for (const operationId of ['getAppSettings', 'updateApp'] as const) {
    assert.equal(refusalOf(operationId, {}, { name: '' }), 'invalidAppName');
    assert.equal(refusalOf(operationId, {}, { name: 'a/b' }), 'invalidAppName');
    assert.equal(refusalOf(operationId, {}, { name: 'A b%2f' }), null);
  }
});

test('a name from the prototype of objects is no field', () => {
  assert.equal(refusalOf('removeApp', JSON.parse('{"__proto__": {"name": "a"}}')), 'nameMissing');
  assert.deepEqual(inputOf('removeApp', JSON.parse('{"name": "__proto__", "__proto__": 1}')), { name: '__proto__' });
});

test('box/endpoints/9: a body has a name when it is a string that is not empty', () => {
  assert.equal(hasName({ name: 'a' }), true);
  for (const name of [undefined, null, '', 1, [], {}]) assert.equal(hasName({ name }), false);
});
