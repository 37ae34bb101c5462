import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMatcher, pathOf } from './match.ts';

const match = makeMatcher([
  { operationId: 'list', method: 'GET', path: '/api/apps' },
  { operationId: 'settings', method: 'GET', path: '/api/apps/{name}/settings' },
  { operationId: 'save', method: 'POST', path: '/api/apps/{name}/settings' },
  { operationId: 'route', method: 'DELETE', path: '/v1/routes/{id}' },
  { operationId: 'install', method: 'POST', path: '/api/apps/install' },
]);

test('box/endpoints/1: finds an exact path by method and bytes', () => {
  assert.deepEqual(match('GET', '/api/apps'), { operationId: 'list', params: {} });
  assert.equal(match('POST', '/api/apps'), null);
  for (const path of ['/api/apps/', '//api/apps', '/API/apps', '/api/%61pps', '/api/./apps', '']) {
    assert.equal(match('GET', path), null, path);
  }
});

test('finds a parameter between the texts before and after it', () => {
  const nameIn = (path: string) => match('GET', path)?.params.name;
  assert.equal(nameIn('/api/apps/notes/settings'), 'notes');
  assert.equal(nameIn('/api/apps//settings'), '');
  assert.equal(nameIn('/api/apps/a/b/settings'), 'a/b');
  assert.equal(nameIn('/api/apps/../settings'), '..');
  assert.equal(nameIn('/api/apps/%2e%2e/settings'), '%2e%2e');
  assert.equal(nameIn('/api/apps/settings/settings'), 'settings');
  assert.equal(match('GET', '/api/apps/settings'), null);
  assert.equal(match('GET', '/api/apps/a/settings/'), null);
  assert.equal(match('POST', '/api/apps/x/settings')?.operationId, 'save');
});

test('finds a parameter at the end', () => {
  assert.equal(match('DELETE', '/v1/routes/rt_1')?.params.id, 'rt_1');
  assert.equal(match('DELETE', '/v1/routes/')?.params.id, '');
});

test('box/endpoints/2: the path of a target ends where its query begins', () => {
  const rows: [string, string][] = [
    ['/a', '/a'],
    ['/a?', '/a'],
    ['/a?b=/c', '/a'],
    ['/a?b?c', '/a'],
    ['/?x', '/'],
    ['//a', '//a'],
    ['http://box:7000/a?b', '/a'],
    ['HTTP://box', '/'],
    ['http://box?x', '/'],
    ['*', '*'],
    ['thing', 'thing'],
  ];
  for (const [target, path] of rows) assert.equal(pathOf(target), path, target);
});
