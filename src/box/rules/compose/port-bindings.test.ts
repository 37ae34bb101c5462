import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePortBindings } from './port-bindings.ts';

test('reads the published ports of docker ps, in every form of an address', () => {
  const column = '0.0.0.0:8080->80/tcp, [::]:8080->80/tcp, :::53->53/udp, 192.168.1.5:5000-5002->6000-6002/tcp';
  assert.deepEqual(parsePortBindings(column), [
    { address: '0.0.0.0', from: 8080, to: 8080, target: 80, protocol: 'tcp' },
    { address: '::', from: 8080, to: 8080, target: 80, protocol: 'tcp' },
    { address: '::', from: 53, to: 53, target: 53, protocol: 'udp' },
    { address: '192.168.1.5', from: 5000, to: 5002, target: 6000, protocol: 'tcp' },
  ]);
});

test('leaves out unpublished ports and other words', () => {
  assert.deepEqual(parsePortBindings(''), []);
  assert.deepEqual(parsePortBindings('443/tcp, 9000-9002/udp, what->ever'), []);
});
