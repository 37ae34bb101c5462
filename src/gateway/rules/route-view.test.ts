import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHostTooLong, routeView } from './route-view.ts';

test('shows a route with its host and its address, and no other field', () => {
  const route = { id: 'rt_1', boxId: 'box_1', accountId: 'acc_1', appName: 'Notes', subdomain: 'n', port: 80 };
  assert.deepEqual(routeView(route, 'example.org'), {
    id: 'rt_1',
    box_id: 'box_1',
    account_id: 'acc_1',
    app_name: 'Notes',
    subdomain: 'n',
    port: 80,
    host: 'n.example.org',
    url: 'https://n.example.org',
  });
});

test('shows access rules without the hash of the password', () => {
  const route = { id: 'rt_1', boxId: 'box_1', accountId: 'acc_1', appName: 'Notes', subdomain: 'n', port: 80 };
  const rules = { login: 'ada', allow: ['::1'], open_paths: ['/a'] };
  const view = (access: object) => routeView({ ...route, access }, 'example.org').access;
  assert.deepEqual(view({ ...rules, password_hash: 'hash' }), rules);
  assert.deepEqual(view({}), {});
});

test('choice/gateway/73: a host has at most 253 characters', () => {
  const domain = 'd'.repeat(200);
  assert.equal(isHostTooLong('s'.repeat(52), domain), false);
  assert.equal(isHostTooLong('s'.repeat(53), domain), true);
});
