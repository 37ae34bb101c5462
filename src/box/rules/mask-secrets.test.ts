import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets } from './mask-secrets.ts';

test('replaces every secret, the longest first', () => {
  assert.equal(maskSecrets('a hunter2 and hunter2-long', ['hunter2', 'hunter2-long']), 'a ••• and •••');
});

test('finds a secret written with escapes, and each line of one that has several', () => {
  assert.equal(maskSecrets('in "p\\"w$d"', ['p"w$d']), 'in "•••"');
  assert.equal(maskSecrets('PW="p\\"w\\$d"', ['p"w$d']), 'PW="•••"');
  assert.equal(maskSecrets('line: second', ['first\nsecond']), 'line: •••');
});

test('does not black out words for a secret of one or two characters', () => {
  assert.equal(maskSecrets('a boat', ['a', '']), 'a boat');
});
