import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shuffle } from './shuffle.ts';

test('the same seed gives the same order, and another seed another order', () => {
  const list = Array.from({ length: 50 }, (_, index) => index);
  assert.deepEqual(shuffle(list, 7), shuffle(list, 7));
  assert.notDeepEqual(shuffle(list, 7), shuffle(list, 8));
  assert.deepEqual(
    shuffle(list, 7).sort((a, b) => a - b),
    list,
  );
});
