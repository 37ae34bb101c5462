import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelayMs } from './retry-delay.ts';

test('doubles from one minute to half an hour', () => {
  const minutes = [0, 1, 2, 3, 4, 5, 6, 2000].map((tries) => retryDelayMs(tries) / 60_000);
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 30, 30, 30]);
});
