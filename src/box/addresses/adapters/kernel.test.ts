import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { test } from 'node:test';
import { networkFacts } from './kernel.ts';

test('observes the networks of this machine, and no loopback', () => {
  const { interfaces, routes, resolvers } = networkFacts();
  assert.ok(interfaces.every(({ name, prefix }) => name !== 'lo' && prefix >= 0 && prefix <= 32));
  assert.ok(resolvers.every(isIPv4));
  assert.match(routes, /^Iface\tDestination\t/);
});
