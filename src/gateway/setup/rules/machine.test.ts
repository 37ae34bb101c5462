import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MachineFacts, machineReport } from './machine.ts';

const well: MachineFacts = {
  hasSystemd: true,
  missingPrograms: [],
  engine: '26.1.5+dfsg1',
  dataFolder: '/var/lib/docker',
  compose: '2.26.1-4',
  hasWireguard: true,
  listeners: [],
  running: new Set(),
  ufw: '',
  packetFilter: '',
  addresses: [],
  hasForeignWg0: false,
  freeBytes: 2 ** 33,
  memoryBytes: 2 ** 30,
  authority: { aheadMs: 800 },
};
const report = (facts: MachineFacts, network = '10.8.0.0/24') => machineReport(facts, network);
const hour = 3_600_000;
test('a fresh server with Docker is well, and a firewall outside is named', () => {
  const { problems, notes } = report(well);
  assert.deepEqual(problems, []);
  assert.match(notes.join('\n'), /^a firewall of your provider[^\n]*$/);
});

test('each thing that is missing is one sentence', () => {
  for (const [change, said] of [
    [{ hasSystemd: false }, /^systemd does not run/],
    [{ missingPrograms: ['nft'] }, /^there is no nft: apt install nftables$/],
    [{ missingPrograms: ['other'] }, /^there is no other: apt install other$/],
    [{ engine: null, compose: null }, /^Docker Engine does not answer/],
    [{ dataFolder: '/var/snap/docker/common/var-lib-docker' }, /^this Docker is a snap.*snap remove docker/],
    [{ engine: '19.03.1' }, /^Docker Engine is 19\.03\.1, and 20\.10/],
    [{ engine: '20.9.0' }, /^Docker Engine is 20\.9\.0/],
    [{ compose: null }, /^Docker's Compose plugin/],
    [{ compose: '1.29.2' }, /^Docker's Compose plugin/],
    [{ hasWireguard: false }, /^this kernel has no WireGuard/],
    [{ listeners: [{ protocol: 'tcp', address: '*', port: 443, holder: 'nginx' }] }, /^port 443\/tcp/],
    [{ freeBytes: 2 ** 29 }, /^the disk has 512 MiB left/],
    [{ authority: { problem: 'acme.test (ECONNREFUSED)' } }, /^the certificate authority is not reached: acme\.test/],
    [{ authority: { aheadMs: 2 * hour } }, /^the clock of this server is 120 minutes behind/],
    [{ authority: { aheadMs: -2 * hour } }, /^the clock of this server is 120 minutes ahead/],
    [{ ufw: 'Status: active\n80,443/tcp    ALLOW    Anywhere' }, /^ufw keeps 51820\/udp closed: ufw allow/],
    [{ addresses: [{ name: 'tun0', address: '10.8.0.5' }] }, /^the interface tun0 has the address 10\.8\.0\.5/],
    [{ hasForeignWg0: true }, /^there is an interface wg0 of another program/],
  ] as [Partial<MachineFacts>, RegExp][]) {
    const { problems } = report({ ...well, ...change });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', said);
  }
});

test('an unknown form of a version, an open ufw and little memory are no problems', () => {
  for (const change of [
    { engine: 'dev', compose: 'dev' },
    { ufw: 'Status: inactive\n' },
    { ufw: 'Status: active\nAnywhere    ALLOW    Anywhere' },
  ]) {
    assert.deepEqual(report({ ...well, ...change }).problems, []);
  }
  assert.match(report({ ...well, memoryBytes: 2 ** 28 }).notes[0] ?? '', /256 MiB of memory/);
});

test('shows a packet filter that refuses the rest, but not the one that ufw has made', () => {
  const packetFilter =
    'table ip filter {\n\tchain INPUT {\n\t\ttype filter hook input priority 0; policy drop;\n\t}\n}\n';
  assert.match(report({ ...well, packetFilter }).notes[0] ?? '', /^the packet filter refuses/);
  const ufw = 'Status: active\nAnywhere    ALLOW    Anywhere';
  assert.equal(report({ ...well, packetFilter, ufw }).notes.length, 1);
});
