import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, refusals, refuse } from './refusals.ts';

test('a refusal has a status and a text', () => {
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

test('every refusal has the status of an error', () => {
  for (const [name, { status }] of Object.entries(refusals)) assert.ok(status >= 400 && status < 600, name);
});
