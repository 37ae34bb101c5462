import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameStart } from './same-start.ts';

test('compares the beginnings of two pages', () => {
  assert.ok(isSameStart('<title>Apps', '<title>Apps</title>'));
  assert.ok(isSameStart(`${'x'.repeat(200)}a`, `${'x'.repeat(200)}b`));
  assert.ok(!isSameStart('<title>Apps', '<title>Home'));
  assert.ok(!isSameStart('', '<title>'));
});
