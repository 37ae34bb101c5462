import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backOffMs } from './back-off.ts';

describe('doubles with each failed attempt, up to the longest wait', () => {
  for (const [attempts, ms] of [
    [0, 1000],
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [6, 32_000],
    [7, 60_000],
    [5000, 60_000],
  ] as const) {
    test(`${attempts}: ${ms}`, () => {
      assert.equal(backOffMs(attempts, { firstMs: 1000, mostMs: 60_000 }), ms);
    });
  }
});
