import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ufwReport } from './ufw.ts';

const head = 'To                         Action      From\n--                         ------      ----';
const status = (...rows: string[]) => `Status: active\n\n${head}\n${rows.join('\n')}\n`;
const row = (to: string, action = 'ALLOW', from = 'Anywhere') => `${to.padEnd(26)} ${action.padEnd(11)} ${from}`;
const tunnels = row('51820/udp');

/** The ports that are found closed, or the note without a verdict. */
function verdict(text: string): string {
  const { problems, notes } = ufwReport(text);
  const closed = problems.map((problem) => /^ufw keeps (\d+)/.exec(problem)?.[1]);
  return notes.length > 0 ? 'for you to judge' : closed.join(' ') || 'open';
}

test('judges lists, ranges, limits, sources, directions and the order of rules', () => {
  for (const [text, expected] of [
    ['Status: inactive\n', 'open'],
    ['', 'open'],
    [status(row('80,443/tcp'), tunnels), 'open'],
    [status(row('80:443/tcp'), row('51820:51830/udp')), 'open'],
    [status(row('80,443/tcp', 'LIMIT'), row('51820/udp', 'LIMIT')), 'open'],
    [status(row('80'), row('443'), row('51820')), 'open'],
    [status(row('Anywhere')), 'open'],
    [status(row('80,443/tcp', 'ALLOW', 'Anywhere                   # mine'), tunnels), 'open'],
    [status(row('80/tcp', 'DENY', '192.0.2.7'), row('80,443/tcp'), tunnels), 'open'],
    [status(row('22/tcp')), '80 443 51820'],
    [status(row('80,443/tcp'), row('51820/tcp')), '51820'],
    [status(row('80,443/tcp', 'ALLOW', '192.0.2.0/24'), tunnels), '80 443'],
    [status(row('443/tcp', 'DENY'), row('80,443/tcp'), tunnels), '443'],
    [status(row('443/tcp', 'REJECT'), row('80/tcp'), tunnels), '443'],
    [status(row('80,443/tcp'), row('443/tcp', 'DENY'), tunnels), 'open'],
    [status(row('80,443/tcp', 'ALLOW FWD'), row('51820', 'ALLOW OUT')), '80 443 51820'],
  ] as const) {
    assert.equal(verdict(text), expected, text);
  }
});

test('reads the verbose form, with the ports of applications and what holds without a rule', () => {
  const verbose = (policy: string, ...rows: string[]) =>
    status(...rows).replace('\n\n', `\nDefault: ${policy} (incoming), allow (outgoing), disabled (routed)\n\n`);
  const rows = [
    '80,443/tcp (Nginx Full)    ALLOW IN    Anywhere',
    '51820/udp                  LIMIT IN    Anywhere                   (log)',
    '80,443/tcp (Nginx Full (v6)) ALLOW IN    Anywhere (v6)',
    '51820/udp (v6)             LIMIT IN    Anywhere (v6)              (log)',
  ];
  assert.equal(verdict(verbose('deny', ...rows)), 'open');
  assert.equal(verdict(verbose('deny', ...rows.slice(1))), 'for you to judge');
  assert.equal(verdict(verbose('allow')), 'open');
  assert.equal(verdict(verbose('allow', row('443/tcp', 'REJECT IN'))), '443');
});

test('shows rules that depend on more than a port, unless those after them say the same', () => {
  for (const rows of [
    [row('Nginx Full'), tunnels],
    [row('80,443/tcp on eth0'), row('51820/udp on eth0')],
    [row('80,443/tcp'), row('51820/udp')].map((one) => one.replace('Anywhere', 'Anywhere 1024:65535/udp')),
    [row('203.0.113.5 80/tcp'), row('443/tcp'), tunnels],
    [row('80,443/tcp (v6)', 'ALLOW', 'Anywhere (v6)'), row('51820/udp (v6)', 'ALLOW', 'Anywhere (v6)')],
  ]) {
    const { notes, problems } = ufwReport(status(...rows));
    assert.deepEqual(
      problems.filter((problem) => problem.includes('80/tcp')),
      [],
    );
    assert.equal(notes.length, 1);
    for (const one of rows) assert.ok(notes[0]?.includes(one.replace(/ +/g, ' ')), notes[0]);
  }
  assert.equal(verdict(status(row('Nginx Full'), row('80,443/tcp'), tunnels)), 'open');
  assert.equal(verdict(status(row('Samba', 'DENY'), row('443/tcp on eth0', 'DENY'))), '80 443 51820');
});

test('says which command opens a port, and which rule closes it', () => {
  const { problems } = ufwReport(status(row('443/tcp', 'DENY'), row('80/tcp')));
  assert.deepEqual(problems, [
    'ufw keeps 443/tcp closed: delete its rule "443/tcp DENY Anywhere", then ufw allow 443/tcp',
    'ufw keeps 51820/udp closed: ufw allow 51820/udp',
  ]);
});
