import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packetFilterNotes } from './packet-filter.ts';

const chain = (name: string, ...lines: string[]) =>
  `\tchain ${name} {\n${lines.map((line) => `\t\t${line}\n`).join('')}\t}\n`;
const table = (...chains: string[]) => `table ip filter {\n${chains.join('\n')}}\n`;
const input = (policy: string) => `type filter hook input priority filter; policy ${policy};`;
const ssh = 'tcp dport 22 counter packets 3 bytes 180 accept';
const gateway = ['tcp dport { 80, 443 } accept', 'udp dport 51800-51900 counter packets 0 bytes 0 accept'];

test('names a chain that refuses the rest and does not name the ports of a gateway', () => {
  for (const ruleset of [
    table(
      chain('INPUT', input('accept'), 'ct state established,related accept', ssh, 'reject with icmp host-prohibited'),
    ),
    table(chain('INPUT', input('accept'), ssh, 'counter packets 1 bytes 2 drop')),
    table(chain('INPUT', input('accept'), ssh, 'counter packets 1 bytes 2 xt target "REJECT"')),
    table(chain('INPUT', input('drop'), ssh, 'tcp dport @web accept')),
    table(chain('INPUT', input('drop'), 'tcp dport 80 accept', 'tcp dport 443 accept', 'tcp dport 51820 accept')),
    table(chain('INPUT', input('drop'), ...gateway.map((line) => line.replace('accept', 'drop')))),
  ]) {
    const notes = packetFilterNotes(`table inet other {\n}\n${ruleset}`);
    assert.equal(notes.length, 1, ruleset);
    assert.match(
      notes[0] ?? '',
      /^the packet filter refuses what it does not let in \(nft list chain ip filter INPUT\)/,
    );
  }
});

test('says nothing of a filter that is open, or names the ports in any chain', () => {
  for (const ruleset of [
    '',
    table(chain('INPUT', input('accept'), ssh, 'tcp dport 25 drop')),
    table(chain('INPUT', input('accept'))),
    table(chain('FORWARD', 'type filter hook forward priority filter; policy drop;')),
    table(chain('INPUT', input('drop'), ssh, ...gateway)),
    table(chain('INPUT', input('drop'), 'jump zone'), chain('zone', ...gateway)),
    table(chain('INPUT', input('drop'), 'meta l4proto { tcp, udp } th dport { 80, 443, 51820 } accept')),
  ]) {
    assert.deepEqual(packetFilterNotes(ruleset), [], ruleset);
  }
});
