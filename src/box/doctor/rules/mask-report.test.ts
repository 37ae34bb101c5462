import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskReport } from './mask-report.ts';

const wireGuardKey = 'yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=';
const digest = '4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865';

test('masks what may be secret or tells where the box is', () => {
  const cases: [string, string][] = [
    ['https://me:pw@ntfy.sh/x', 'https://***@ntfy.sh/x'],
    ['GET https://push.example.net/message?token=abc done', 'GET https://push.example.net/message?*** done'],
    ['token=abc, next', 'token=***, next'],
    ['"password": "a b"', '"password": *** b"'],
    ['Authorization: Bearer abc.def', 'Authorization: ***'],
    [`PrivateKey = ${wireGuardKey}`, 'PrivateKey = ***'],
    ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9eyJzdWIiOiIxMjM0NTY3ODkwIn0', '***'],
    [`image sha256:${digest}`, `image sha256:${digest.slice(0, 12)}…`],
    ['from 203.0.113.7 and 192.168.1.7', 'from PUBLIC-ADDRESS and 192.168.1.7'],
    ['2001:db8:1:2:3:4:5:6, 2001:db8:1::7 and fe80::1:2:3', 'PUBLIC-ADDRESS, PUBLIC-ADDRESS and fe80::1:2:3'],
    ['2026-01-02T03:04:05 /var/lib/boxgate/apps/Some-Very-Long-Folder-Name-2026/data', ''],
    ['box.example.org and example.org', 'HOST-1 and HOST-2'],
  ];
  for (const [text, masked] of cases)
    assert.equal(maskReport(text, ['example.org', 'box.example.org']), masked === '' ? text : masked);
});

test('takes linear time', () => {
  for (const piece of ['a:', 'https://', '1.', '?', 'token', 'aA1/', '://a', ' ']) {
    const began = process.cpuUsage();
    maskReport(piece.repeat(128 * 1024), []);
    const { user } = process.cpuUsage(began);
    assert.ok(user < 2_000_000, `${piece}: ${user} µs`);
  }
});
