import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstTable, overlapping, ownNetworks } from './own-networks.ts';

const facts = {
  interfaces: [
    { name: 'eth0', address: '192.168.1.20', prefix: 24 },
    { name: 'tunnel', address: '10.8.0.2', prefix: 32 },
  ],
  routes: [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
    'eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
    'eth1\t0000100A\t0201A8C0\t0003\t0\t0\t0\t0000FFFF\t0\t0\t0',
    'tunnel\t0100080A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
    'eth0\tnonsense',
    '',
  ].join('\n'),
  resolvers: ['172.20.0.53'],
};

test('choice/gateway/212: reads networks of interfaces, routes, routers and name servers, without the tunnel', () => {
  assert.deepEqual(
    ownNetworks(facts).map(({ address, prefix, of }) => `${address}/${prefix} ${of}`),
    [
      '192.168.1.20/24 the interface eth0',
      '192.168.1.1/32 the router behind eth0',
      '192.168.1.0/24 a route through eth0',
      '10.16.0.0/16 a route through eth1',
      '192.168.1.2/32 the router behind eth1',
      '172.20.0.53/32 a name server of this box',
    ],
  );
});

test('without observations there are no networks', () => {
  assert.deepEqual(ownNetworks({ interfaces: [], routes: '', resolvers: [] }), []);
});

for (const [tunnel, own, overlaps] of [
  ['192.168.1.2/24', '192.168.1.20/24', true],
  ['192.168.1.1/32', '192.168.1.20/24', true],
  ['192.168.1.2/24', '192.168.1.200/32', true],
  ['192.168.0.2/16', '192.168.200.0/24', true],
  ['192.168.2.1/32', '192.168.1.20/24', false],
  ['10.8.0.2/25', '10.8.0.129/25', false],
  ['200.0.0.1/32', '100.0.0.1/32', false],
] as const) {
  test(`${tunnel} ${overlaps ? 'overlaps' : 'is apart from'} ${own}`, () => {
    const [address = '', prefix] = own.split('/');
    const network = { address, prefix: Number(prefix), of: 'x' };
    assert.equal(overlapping(['172.31.0.1', 'no network', tunnel], [network]) !== undefined, overlaps);
  });
}

test('a routing table takes the packets of the tunnel only if a rule asks it before the main table', () => {
  const all = (table: string, others = {}) => ({ src: 'all', table, ...others });
  const usual = [all('local'), all('main'), all('default')];
  assert.equal(firstTable('52', [all('52', { dst: '10.8.0.0' }), ...usual]), '52');
  // `wg-quick` makes these two rules for a VPN that takes all traffic.
  const full = [all('main', { suppress_prefixlen: 0 }), all('77', { not: null, fwmark: '0x5' })];
  assert.equal(firstTable('77', [...full, ...usual]), null);
  assert.equal(firstTable('77', [all('main', { iif: 'eth0' }), all('77'), ...usual]), '77');
  assert.equal(firstTable('77', [all('main', { src: '10.0.0.1' }), all('77'), ...usual]), '77');
  assert.equal(firstTable('77', usual), null);
  assert.equal(firstTable(undefined, usual), null);
  assert.equal(firstTable('77', null), null);
});
