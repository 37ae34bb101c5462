import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, refuse } from './refusals.ts';

test('a refusal knows its status and its text', () => {
  const thrown = (() => {
    try {
      refuse('tunnelManagerFailed', { reason: 'not reachable' });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(thrown instanceof Refusal);
  assert.equal(thrown.refusal, 'tunnelManagerFailed');
  assert.equal(thrown.status, 502);
  assert.equal(thrown.message, 'tunnel manager: not reachable');
});
