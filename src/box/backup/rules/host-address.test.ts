import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressProblem, isInHomeNetwork } from './host-address.ts';

test('backups go to no address of the box itself, and to none that tells a machine its secrets', () => {
  // biome-ignore format: a table
  const own = ['127.0.0.1', '127.8.0.1', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'];
  // biome-ignore format: a table
  const metadata = [
    '169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe',
    'fe80::1', 'febf::1', 'fd00:ec2::254', 'FD00:0EC2::254', '168.63.129.16', '100.100.100.200', '192.0.0.192',
    '224.0.0.1', '255.255.255.255', 'ff02::1', 'nas', '',
  ];
  for (const address of own) assert.equal(addressProblem(address), 'it is an address of this box itself', address);
  for (const address of metadata)
    assert.equal(addressProblem(address), 'no backup server has such an address', address);
  for (const address of ['192.168.1.20', '8.8.8.8', '2001:db8:1:2:3:4:5:6', 'fd00::7', 'fec0::1']) {
    assert.equal(addressProblem(address), null, address);
  }
});

test('the home network has the private addresses', () => {
  const home = ['192.168.1.20', '10.0.0.1', '172.16.0.1', '172.31.9.9', '100.64.0.1', 'fd00::7', 'fc00::1'];
  for (const address of home) assert.ok(isInHomeNetwork(address), address);
  // biome-ignore format: a table
  const other = ['8.8.8.8', '172.32.0.1', '192.169.0.1', '100.128.0.1', '127.0.0.1', '2001:db8::1', 'fec0::1', 'fe80::1', 'nas'];
  for (const address of other) assert.ok(!isInHomeNetwork(address), address);
});
