import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayAddress } from './gateway-address.ts';

for (const [address, allowedIps, expected] of [
  ['10.8.0.254/24', '', '10.8.0.1'],
  ['10.8.0.10/29', '', '10.8.0.9'],
  ['10.8.0.14/29', '0.0.0.0/0, ::/0', '10.8.0.9'],
  ['10.8.0.10/30', '', '10.8.0.9'],
  ['10.8.3.7/16', '', '10.8.0.1'],
  ['192.168.255.254/17', '', '192.168.128.1'],
  // The mask of Address takes precedence over AllowedIPs.
  ['10.8.0.10/24', '10.8.0.8/29', '10.8.0.1'],
  // Address has no usable mask.
  ['10.8.0.2/32', '', '10.8.0.1'],
  ['10.8.0.200', '0.0.0.0/0, ::/0', '10.8.0.1'],
  ['10.8.0.10/32', '10.8.0.8/29', '10.8.0.9'],
  ['10.8.0.10/32', 'fdcc::/112, 10.0.0.0/8, 192.168.1.0/24, 10.8.0.9/29', '10.8.0.9'],
  ['10.8.0.10/32', '10.0.0.0/8', '10.8.0.1'],
  ['10.8.0.10/32', '10.8.0.10/32, 10.8.0.10/33, nonsense', '10.8.0.1'],
] as const) {
  test(`choice/gateway/220: ${address} with AllowedIPs "${allowedIps}" has the gateway at ${expected}`, () => {
    assert.equal(gatewayAddress(address, allowedIps)?.address, expected);
  });
}

for (const [address, allowedIps, isAssumed] of [
  ['10.8.0.2/24', '0.0.0.0/0', false],
  ['10.8.0.2/32', '10.8.0.0/24', false],
  ['10.8.0.2/32', '0.0.0.0/0, ::/0', true],
  ['10.8.0.2', '', true],
] as const) {
  test(`choice/gateway/220: ${address} with AllowedIPs "${allowedIps}" ${isAssumed ? 'does not name' : 'names'} the network`, () => {
    assert.equal(gatewayAddress(address, allowedIps)?.isAssumed, isAssumed);
  });
}

for (const address of ['10.8.0.1/24', '10.8.0.1/32', '10.8.0.9/29', '10.8.0.10/31', '10.8.0.10/33', 'fdcc::2/112']) {
  test(`choice/gateway/220: ${address} leaves no address for the gateway`, () => {
    assert.equal(gatewayAddress(address), null);
  });
}
