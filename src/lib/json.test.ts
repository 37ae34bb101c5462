import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, parseJson } from './json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('reads what is nested up to 100 deep, and nothing deeper', () => {
  assert.notEqual(parseJson(nested(100)), undefined);
  assert.equal(parseJson(nested(101)), undefined);
  assert.equal(parseJson(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`), undefined);
});

test('brackets side by side or in a text are not nested', () => {
  assert.notEqual(parseJson(`[${'[],'.repeat(500)}{}]`), undefined);
  assert.equal(parseJson(JSON.stringify('["\\{'.repeat(500))), '["\\{'.repeat(500));
  assert.deepEqual(parseJson('{"[\\"[": 1}'), { '["[': 1 });
});

test('undefined means that a text is not JSON', () => {
  for (const text of ['', '{', '"', '[1', ']', '"\\']) assert.equal(parseJson(text), undefined);
});

test('an object is neither null nor a list', () => {
  assert.deepEqual([{}, null, [], 1].map(isJsonObject), [true, false, false, false]);
});
