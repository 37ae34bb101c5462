import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName } from './shown-name.ts';

for (const [what, name, shown] of [
  ['letters of any language stay', 'Dachboden 屋根裏', 'Dachboden 屋根裏'],
  ['a line break is shown', 'a\nb\r\u2028', 'a\\u{a}b\\u{d}\\u{2028}'],
  ['what a terminal would obey is shown', '\u001b[2J', '\\u{1b}[2J'],
  ['what would turn the line around is shown', 'a\u202e', 'a\\u{202e}'],
] as const) {
  test(what, () => {
    assert.equal(shownName(name), shown);
  });
}
