import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaceProblems, tunnelNetworkProblem, usualTunnelNetwork } from './tunnel-network.ts';

test('takes private networks of 256 addresses', () => {
  for (const good of [usualTunnelNetwork, '10.255.7.0/24', '192.168.3.0/24', '172.16.0.0/24', '172.31.9.0/24']) {
    assert.equal(tunnelNetworkProblem(good), null, good);
  }
  const bad = '10.8.0.1/24 10.8.0.0/16 10.8.0.0 8.8.8.0/24 172.32.0.0/24 10.300.0.0/24 10.8.256.0/24 fd00::/64 x';
  for (const text of bad.split(' ')) assert.match(tunnelNetworkProblem(text) ?? '', /^a private network of 256/, text);
});

test('names the interfaces of others that are in the way, and no other one', () => {
  const addresses = [
    { name: 'wg0', address: '10.8.0.1' },
    { name: 'tun0', address: '10.8.0.5' },
    { name: 'br-x', address: '10.8.0.129' },
    { name: 'eth0', address: '203.0.113.5' },
    { name: 'eth1', address: '10.80.0.5' },
  ];
  const [first = '', ...others] = interfaceProblems(addresses, true, usualTunnelNetwork);
  assert.match(first, /^there is an interface wg0 of another program/);
  assert.deepEqual(
    others.map((one) => /^the interface (\S+) has the address (\S+),/.exec(one)?.slice(1)),
    [
      ['tun0', '10.8.0.5'],
      ['br-x', '10.8.0.129'],
    ],
  );
  assert.deepEqual(interfaceProblems(addresses, false, '10.97.0.0/24'), []);
});
