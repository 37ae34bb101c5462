import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, tunnelState } from './tunnel-state.ts';

const now = new Date('2026-01-02T03:04:05Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const others = { isFiltered: true, endpoint: '[2001:db8::1]:51820', otherWay: null };
const state = (seen: { answered: boolean; handshakeAt: Date | null; isFiltered?: boolean; otherWay?: string } | null) =>
  tunnelState(seen && { ...others, ...seen }, { configFile: '/x/tunnel.conf', now });

test('choice/gateway/221: a tunnel that answers is up, whenever the last handshake was', () => {
  assert.deepEqual(state({ answered: true, handshakeAt: ago(170) }), { tunnel: 'up', problem: null });
});

test('choice/gateway/221: a tunnel without its packet filter is up and a problem', () => {
  const { tunnel, problem } = state({ answered: true, handshakeAt: ago(1), isFiltered: false });
  assert.equal(tunnel, 'up');
  assert.match(String(problem), /reaches every port of this box\. Restart it with `systemctl restart/);
});

test('choice/gateway/221: a tunnel that does not answer is dead, also right after a handshake', () => {
  const { tunnel, problem } = state({ answered: false, handshakeAt: ago(30) });
  assert.equal(tunnel, 'dead');
  assert.match(
    String(problem),
    /does not answer at \[2001:db8::1\]:51820; the last handshake was 30 s ago\. Restart it with `systemctl/,
  );
  const never = state({ answered: false, handshakeAt: null });
  assert.equal(never.tunnel, 'dead');
  assert.match(String(never.problem), /answers no handshake at \[2001:db8::1\]:51820: it may be off/);
  const elsewhere = state({ answered: false, handshakeAt: ago(1), otherWay: 'mesh0' });
  assert.match(
    String(elsewhere.problem),
    /^packets for the gateway's end leave through mesh0, not through the tunnel\./,
  );
});

test('a box that the gateway does not know is not told to restart its tunnel', () => {
  const seen = { answered: false, handshakeAt: ago(500), ...others };
  const { tunnel, problem } = tunnelState(seen, { configFile: '/x/tunnel.conf', now, isUnknown: true });
  assert.deepEqual([tunnel, problem], ['dead', 'the gateway does not know this box any more']);
});

test('choice/gateway/221: without an interface the tunnel is down, and the message names both ways to bring it up', () => {
  const { tunnel, problem } = state(null);
  assert.equal(tunnel, 'down');
  assert.match(
    String(problem),
    /enable --now boxgate-tunnel\.service` or `boxgate tunnel firewall && wg-quick up \/x\/tunnel\.conf`$/,
  );
});

test('a tunnel that no tool can look at is unknown, with what to do', () => {
  const cases: [string, RegExp][] = [
    [
      'wg show tunnel transfer: failed with status 1: Operation not permitted',
      /\. Only root may look at it: use sudo$/,
    ],
    ['wg show tunnel transfer: command not found', /\. Install the package wireguard-tools$/],
    ['wg show tunnel transfer: No such device', /\. Restart it with `systemctl restart boxgate-tunnel/],
  ];
  for (const [failure, advice] of cases) {
    const { tunnel, problem } = tunnelState({ failure }, { configFile: '/x/tunnel.conf', now });
    assert.equal(tunnel, 'unknown');
    assert.ok(problem?.startsWith(`it cannot be looked at (${failure})`));
    assert.match(String(problem), advice);
  }
});

test('shows an age in seconds, minutes or hours, never below 0', () => {
  assert.deepEqual(
    [ago(-5), ago(0), ago(119), ago(120), ago(7199), ago(7200), ago(200_000)].map((then) => age(then, now)),
    ['0 s ago', '0 s ago', '119 s ago', '2 min ago', '120 min ago', '2 h ago', '56 h ago'],
  );
});
