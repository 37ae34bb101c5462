import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOut, listed, translated } from './translation.ts';

test('an app is left out with the reason; a defect of the translation is none', async () => {
  assert.deepEqual(await translated(async () => leaveOut('it is odd')), { taken: false, reason: 'it is odd' });
  await assert.rejects(
    translated(async () => {
      throw new TypeError('defect');
    }),
    TypeError,
  );
});

test('a list for a note is bounded, names each text once, and shows invisible characters', () => {
  assert.equal(listed(['a', 'b', 'a', 'c\u0000']), 'a, b, c\\u{0}');
  assert.equal(listed(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more');
});
