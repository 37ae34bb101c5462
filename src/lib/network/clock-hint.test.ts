import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockHint } from './clock-hint.ts';

test('an error that a wrong clock may cause names the clock, and no other does', () => {
  const now = new Date('2020-01-02T03:04:05Z');
  for (const code of ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']) {
    assert.match(clockHint(code, now), /^; the clock of this machine says 2020-01-02T03:04:05\.000Z: if that is wrong/);
  }
  assert.equal(clockHint('DEPTH_ZERO_SELF_SIGNED_CERT', now), '');
});
