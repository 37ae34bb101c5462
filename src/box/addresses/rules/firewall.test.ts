import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firewallRules,
  gatewayKey,
  hasRules,
  lookForRules,
  publishedPorts,
  tableRemoved,
  tunnelEnds,
} from './firewall.ts';

const ends = { box: '10.8.0.2', gateway: '10.8.0.1' };
const set = 'published_x';
const rulesOf = (text: string) => text.split('\n').map((line) => line.trim());

test('choice/gateway/210: drops what comes from the tunnel unless it is an answer or for a published port', () => {
  const rules = rulesOf(firewallRules(ends, { set, ports: [8080, 81, 8080] }));
  const chain = rules.slice(rules.indexOf('chain from_gateway {') + 1);
  assert.deepEqual(chain.slice(0, chain.indexOf('}')), [
    'type filter hook prerouting priority -150; policy accept;',
    'iifname != "tunnel" accept',
    'ct state established ct direction reply accept',
    'meta l4proto icmp ct state related accept',
    'ip saddr 10.8.0.1 ip daddr 10.8.0.2 tcp dport @published_x accept',
    'drop',
  ]);
  assert.equal(rules.at(-2), 'add element inet boxgate_tunnel published_x { 81, 8080 }');
});

test('replaces an existing table in the same transaction', () => {
  assert.deepEqual(rulesOf(firewallRules(ends, { set, ports: [] })).slice(0, 3), [
    'add table inet boxgate_tunnel',
    'delete table inet boxgate_tunnel',
    'table inet boxgate_tunnel {',
  ]);
});

test('a box that publishes nothing has an empty set', () => {
  assert.doesNotMatch(firewallRules(ends, { set, ports: [] }), /add element/);
  assert.equal(publishedPorts(set, []), 'flush set inet boxgate_tunnel published_x\n');
});

test('replaces the ports of an existing table', () => {
  assert.equal(
    publishedPorts(set, [443, 80]),
    'flush set inet boxgate_tunnel published_x\nadd element inet boxgate_tunnel published_x { 80, 443 }\n',
  );
});

test('looks for the set of ports by its name, and for the chain', () => {
  assert.equal(
    lookForRules(set),
    'list set inet boxgate_tunnel published_x\nlist chain inet boxgate_tunnel from_gateway\n',
  );
});

test('choice/gateway/210: a chain without the rule that drops is no packet filter', () => {
  const rules = firewallRules(ends, { set, ports: [80] });
  assert.equal(hasRules(rules), true);
  assert.equal(hasRules(rules.replace(/^ *drop\n/m, '')), false);
});

test('removes the table only if it has the set', () => {
  assert.equal(tableRemoved(set), 'flush set inet boxgate_tunnel published_x\ndelete table inet boxgate_tunnel\n');
});

const config = '[Interface]\nAddress = 10.8.0.2/32\n\n[Peer]\nAllowedIPs = 10.8.0.1/32\n';

test('reads both ends of the tunnel from its configuration', () => {
  assert.deepEqual(tunnelEnds(config), ends);
});

for (const [name, text] of [
  ['has no address', config.replace(/^Address.*$/m, '')],
  ['lets more through than the gateway', config.replace('10.8.0.1/32', '0.0.0.0/0')],
  ['lets two ends through', config.replace('10.8.0.1/32', '10.8.0.1/32, 10.8.0.9/32')],
] as const) {
  test(`finds no ends in a configuration that ${name}`, () => assert.equal(tunnelEnds(text), null));
}

test('reads the public key of the gateway', () => {
  assert.equal(gatewayKey(`${config}PublicKey = a/b+c=\n`), 'a/b+c=');
  assert.equal(gatewayKey(config), '');
});
