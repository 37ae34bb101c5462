import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWhiteSpace, trim, trimEnd } from './unicode.ts';

test("white space is Unicode's White_Space", () => {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const char = String.fromCharCode(code);
    assert.equal(isWhiteSpace(char), /^\p{White_Space}$/u.test(char), `U+${code.toString(16)}`);
  }
  assert.equal(isWhiteSpace(''), false);
});

test('trims the end, both ends, and a text of white space only', () => {
  assert.equal(trimEnd(' a b\u0085\n '), ' a b');
  assert.equal(trim('\u3000 a b\u0085\n '), 'a b');
  assert.equal(trim(' \n '), '');
  assert.equal(
    trim('xxabxx', (char) => char === 'x'),
    'ab',
  );
});
