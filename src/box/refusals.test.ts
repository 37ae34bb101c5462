import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, refusals, refusalText, refuse } from './refusals.ts';

test('a refusal knows its status and its text', () => {
  const thrown = (() => {
    try {
      refuse('appNotInstalled', { app: 'notes' });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(thrown instanceof Refusal);
  assert.equal(thrown.refusal, 'appNotInstalled');
  assert.equal(thrown.status, 404);
  assert.equal(thrown.message, 'the app notes is not installed');
});

test('fills in every place of a text, and says which word is missing', () => {
  assert.equal((refusalText('foreignHost', { host: 'a.b' }).match(/a\.b/g) ?? []).length, 2);
  assert.throws(() => refusalText('appNotFound'), /needs "app"/);
});

test('every refusal has the status of an error', () => {
  for (const [name, { status }] of Object.entries(refusals)) assert.ok(status >= 400 && status < 600, name);
});

test('a refusal costs no stack, and other errors keep theirs', () => {
  const limit = Error.stackTraceLimit;
  assert.throws(
    () => refuse('notFound'),
    (error: Error) => !error.stack?.includes('\n    at '),
  );
  assert.equal(Error.stackTraceLimit, limit);
});
