import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName, shownText } from './shown-text.ts';

test('shows what a terminal would obey as an escape', () => {
  assert.equal(shownName('a\u001b[2J\tb\n\u202ec\u2028'), 'a\\u{1b}[2J\\u{9}b\\u{a}\\u{202e}c\\u{2028}');
  assert.equal(shownText('a\u009b1m\tb\n\u2066c'), 'a\\u{9b}1m\tb\n\\u{2066}c');
});

test('leaves all other text as it is', () => {
  for (const text of ['Grüße 1', '日本', '👨‍👩‍👧', 'a\\b', ''])
    assert.deepEqual([shownName(text), shownText(text)], [text, text]);
});
