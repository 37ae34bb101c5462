import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReserved } from './reserved-subdomain.ts';

test('choice/gateway/310: reserves `gateway` and the subdomains that the operator lists', () => {
  assert.deepEqual(
    ['gateway', 'vpn', 'gateways', 'notes'].map((name) => isReserved(name, ['vpn', 'www'])),
    [true, true, false, false],
  );
  assert.equal(isReserved('gateway', []), true);
});
