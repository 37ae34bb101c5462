import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCertificate } from './judge-certificate.ts';

const now = new Date('2026-01-02T03:04:05Z');
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000);

test('a certificate is trusted, and does not end within a week', () => {
  const cases: [string | null, Date | null, RegExp][] = [
    [null, inDays(8), /^that of a\.b is trusted, until 2026-01-10$/],
    [null, null, /^that of a\.b is trusted$/],
    [null, inDays(6), /^that of a\.b ends on 2026-01-08: /],
    ['CERT_HAS_EXPIRED', inDays(-1), /^that of a\.b ended on 2026-01-01: /],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', inDays(90), /^browsers warn of that of a\.b \(DEPTH_ZERO_SELF_SIGNED_CERT\): /],
  ];
  for (const [distrust, until, text] of cases) assert.match(judgeCertificate('a.b', distrust, until, now).text, text);
});
