import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import { describeFailure } from './failure.ts';

const answered = (text: string, json: unknown): Exchange => ({
  method: 'GET',
  path: '/api/apps',
  requestHeaders: {},
  requestBody: Buffer.alloc(0),
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(text),
  text,
  json,
});

const describe = (error: unknown, ...exchanges: Exchange[]) =>
  describeFailure(error, { exchanges, journal: [], secrets: [], processes: [] });

test('a value that is missing because the answer is not JSON is told as the text of the answer', () => {
  const { reason, notJson } = describe(
    new CheckFailed('the error', 'not found', undefined),
    answered('no such app\n', undefined),
  );
  assert.match(reason, /^the error\nexpected: "not found"\nactual: {3}not JSON: "no such app\\n"\n/);
  assert.equal(notJson, 'errors are not JSON but text/plain');
});

test('a value that is missing in JSON, or a wrong status, has another cause', () => {
  assert.equal(describe(new CheckFailed('the error', 'not found', undefined), answered('{}', {})).notJson, null);
  assert.equal(describe(new CheckFailed('status 400', 400, '404 x'), answered('x', undefined)).notJson, null);
});
