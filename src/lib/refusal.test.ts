import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledText, makeRefusal } from './refusal.ts';

const refusals = {
  plain: { status: 404, text: 'not found' },
  twice: { status: 400, text: '{word} is no {kind}; try another {kind}' },
} as const;

test('fills in every value of a text', () => {
  assert.equal(filledText(refusals, 'plain', {}), 'not found');
  assert.equal(filledText(refusals, 'twice', { word: 'a', kind: 'b' }), 'a is no b; try another b');
});

test('names a missing value', () => {
  assert.throws(() => filledText(refusals, 'twice', { word: 'a' }), /twice needs "kind"/);
});

test('a refusal has no stack trace, other errors keep theirs', () => {
  const limit = Error.stackTraceLimit;
  assert.doesNotMatch(String(makeRefusal(refusals, 'plain', {}).stack), /\n {4}at /);
  assert.equal(Error.stackTraceLimit, limit);
});
