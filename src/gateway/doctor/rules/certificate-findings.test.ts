import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateFindings } from './certificate-findings.ts';

const now = Date.parse('2026-01-02T03:00:00Z');
const hours = 60 * 60 * 1000;
const days = 24 * hours;

/** A host whose certificate lasts for so long, and has so much left. */
const answer = (host: string, lasts: number, left: number, certificateId = host) => ({
  ...{ host, status: 200, problem: null, isLate: false, distrust: null, certificateId },
  certificateFrom: new Date(now + left - lasts),
  certificateUntil: new Date(now + left),
});

test('finds a certificate with fewer than 20 days or a quarter of its time left', () => {
  for (const [lasts, left, isFound] of [
    [90 * days, 21 * days, false],
    [90 * days, 19 * days, true],
    [90 * days, 20 * hours, true],
    [90 * days, -1, true],
    [6 * days, 2 * days, false],
    [6 * days, 1.4 * days, true],
    [21 * hours, 20 * hours, true],
    [365 * days, 30 * days, false],
  ] as const) {
    assert.equal(certificateFindings([answer('a', lasts, left)], now).length, isFound ? 1 : 0, `${lasts} ${left}`);
  }
});

test('tells one certificate once, with its end, and none that is not trusted anyway or has no time', () => {
  const soon = answer('a.example.org', 90 * days, 20 * hours, 'AA:BB');
  const others = [
    { ...soon, host: 'b.example.org' },
    answer('c.example.org', 90 * days, 19 * days),
    { ...soon, certificateId: 'x', distrust: 'CERT_HAS_EXPIRED' },
    { ...soon, certificateId: 'y', certificateFrom: null, certificateUntil: null },
  ];
  assert.deepEqual(certificateFindings([soon, ...others], now), [
    {
      topic: 'certificate AA:BB',
      about: 'https://a.example.org',
      text: "its certificate (and of 1 more) ends at 2026-01-02T23:00:00.000Z, in 20 hours, and has not been renewed: see the proxy's log for why",
    },
    {
      topic: 'certificate c.example.org',
      about: 'https://c.example.org',
      text: "its certificate ends at 2026-01-21T03:00:00.000Z, in 19 days, and has not been renewed: see the proxy's log for why",
    },
  ]);
});
