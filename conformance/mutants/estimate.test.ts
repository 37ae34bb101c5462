import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { interval, percent } from './estimate.ts';

suite('the estimate', () => {
  // Against the values of the literature for 95 %.
  const rows: [number, number, string, string][] = [
    [9, 10, '59.6 %', '98.2 %'],
    [0, 10, '0.0 %', '27.8 %'],
    [10, 10, '72.2 %', '100.0 %'],
    [450, 500, '87.1 %', '92.3 %'],
  ];
  for (const [hits, size, low, high] of rows)
    test(`of ${hits} in ${size} is ${low} to ${high}`, () =>
      assert.deepEqual(interval(hits, size).map(percent), [low, high]));

  test('of nothing tried is anything', () => assert.deepEqual(interval(0, 0), [0, 1]));
  test('of all is no estimate', () => assert.deepEqual(interval(3, 4, 4), [0.75, 0.75]));
});
