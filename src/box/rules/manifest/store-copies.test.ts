import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeCopies } from './store-copies.ts';

test('only names of folders are copies of stores', () => {
  const copies = ['casaos.Ab1', '..', '.', '', '/etc', 'a/b', 'a\0', 5, null, 'runtipi.2', 'casaos.Ab1'];
  const text = JSON.stringify([...copies.map((copy) => ({ copy })), null, 'x', {}]);
  assert.deepEqual(storeCopies(text), ['casaos.Ab1', 'runtipi.2']);
});

test('only a list is a list of stores', () => {
  for (const text of ['', '{', '{}', '"x"', '['.repeat(1000)]) assert.equal(storeCopies(text), null, text);
  assert.deepEqual(storeCopies('[]'), []);
});
