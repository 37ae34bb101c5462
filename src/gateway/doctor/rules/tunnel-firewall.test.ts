import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firewallReport } from './tunnel-firewall.ts';

test('choice/gateway/213: a loaded packet filter has no report', () => {
  assert.deepEqual(firewallReport('loaded'), { findings: [], notes: [] });
});

test('choice/gateway/213: a missing packet filter is a finding that says how to load it', () => {
  const { findings, notes } = firewallReport('missing');
  assert.match(findings[0]?.text ?? '', /package nftables/);
  assert.match(findings[0]?.text ?? '', /systemctl enable --now boxgate-gateway-firewall/);
  assert.deepEqual([findings.length, notes], [1, []]);
});

for (const state of ['hidden', 'elsewhere'] as const) {
  test(`a packet filter that is ${state} is a note that says how to check`, () => {
    const { findings, notes } = firewallReport(state);
    assert.deepEqual(findings, []);
    assert.match(notes.join(), /nft list table inet boxgate_gateway/);
  });
}
