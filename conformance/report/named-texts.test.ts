import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedTexts } from './named-texts.ts';

test('returns the texts in their order, each with its key', () => {
  const value = { id: 'a', routes: [{ id: 'b' }, 'c', 5, null], name: 'd' };
  assert.deepEqual(namedTexts(value), [
    ['id', 'a'],
    ['id', 'b'],
    ['routes', 'c'],
    ['name', 'd'],
  ]);
});

test('reads values that nest more deeply than the stack allows', () => {
  const depth = 200_000;
  const value: unknown = JSON.parse(`${'{"a":['.repeat(depth)}"text"${']}'.repeat(depth)}`);
  assert.deepEqual(namedTexts(value), [['a', 'text']]);
});
