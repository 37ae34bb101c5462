import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedKeys } from './changed-keys.ts';

test('names the keys whose values differ, without values', () => {
  const before = 'A=1\nB=2\nGONE=3\nALSO_GONE=4\nSAME=5\n';
  const after = '# other words\nSAME="5"\nB=22\nA=11\nNEW=6\n';
  assert.equal(changedKeys(before, after), 'changed B, A; added NEW; removed GONE, ALSO_GONE');
  assert.equal(changedKeys('A=1\n', 'A=2\n'), 'changed A');
});

test('is empty if only comments and order differ', () => {
  assert.equal(changedKeys('A=1\nB=2\n', '# new\nB=2\nA=1\n'), '');
});
