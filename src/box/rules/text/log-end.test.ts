import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logEnd } from './log-end.ts';

test('joins the last five lines', () => {
  assert.equal(logEnd('1\n2\n3\n\n4\n5\n6\n'), '2 / 3 / 4 / 5 / 6');
  assert.equal(logEnd('\n'), '');
});

test('cuts long lines, but no character', () => {
  assert.equal(logEnd(`${'x'.repeat(201)}\nend`), `${'x'.repeat(200)}… / end`);
  assert.ok(logEnd(`${'x'.repeat(199)}😀`).isWellFormed());
});
