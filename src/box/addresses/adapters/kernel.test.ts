import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkFacts } from './kernel.ts';

test('observes the networks of this machine, and no loopback', () => {
  const { interfaces, routes } = networkFacts();
  assert.ok(interfaces.every(({ name, prefix }) => name !== 'lo' && prefix >= 0 && prefix <= 32));
  assert.match(routes, /^Iface\tDestination\t/);
});
