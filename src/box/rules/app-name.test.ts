import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appNameFault, isAppName } from './app-name.ts';

test('takes what Compose takes as a project name', () => {
  for (const name of ['a', '0', 'notes', 'feed-reader', 'a_b', '9lives', 'constructor', 'x'.repeat(63)]) {
    assert.equal(isAppName(name), true, name);
  }
});

test('takes nothing else', () => {
  const others = [
    '',
    '.',
    '..',
    '-a',
    '_a',
    'A',
    'aB',
    'a b',
    'a.b',
    'a/b',
    '%2e%2e',
    'a\n',
    'a\0',
    'ä',
    '.boxgate',
  ];
  for (const name of [...others, 'x'.repeat(64), 'x'.repeat(300)]) {
    assert.equal(isAppName(name), false, JSON.stringify(name));
  }
});

test('says what a name should be and what it is', () => {
  assert.match(appNameFault('My App'), /expected at most 63 lower-case letters.*found "My App"$/);
  assert.match(appNameFault('x'.repeat(255)), /found "x{80}…"$/);
});
