import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownJson, shownName, shownText } from './shown-text.ts';

test('escapes characters that control a terminal', () => {
  assert.equal(shownName('a\u001b[2J\tb\n\u202ec\u2028\u200b'), 'a\\u{1b}[2J\\u{9}b\\u{a}\\u{202e}c\\u{2028}\\u{200b}');
  assert.equal(shownText('a\u009b1m\tb\n\u2066c'), 'a\\u{9b}1m\tb\n\\u{2066}c');
});

test('JSON stays the same value', () => {
  const text = 'a\u202eb\u009bc\u007f\u2028\u{e0041}\n';
  const shown = shownJson(JSON.stringify({ text }));
  assert.match(shown, /^[\x20-\x7e]+$/);
  assert.deepEqual(JSON.parse(shown), { text });
});

test('leaves all other text as it is', () => {
  for (const text of ['Grüße 1', '日本', '👨‍👩‍👧', 'a\\b', ''])
    assert.deepEqual([shownName(text), shownText(text)], [text, text]);
});
