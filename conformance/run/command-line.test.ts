import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitCommandLine } from './command-line.ts';

const cases: [string, string[]][] = [
  ['', []],
  ['node server.js', ['node', 'server.js']],
  ['  a\t b\n', ['a', 'b']],
  [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
  [`'' ""`, ['', '']],
  [`a\\ b "c\\"d\\\\" 'e\\f'`, ['a b', 'c"d\\', 'e\\f']],
  [`--x='y z'w`, ['--x=y zw']],
  ['$HOME *; | &&', ['$HOME', '*;', '|', '&&']],
];

for (const [text, words] of cases) {
  test(`splits ${JSON.stringify(text)}`, () => assert.deepEqual(splitCommandLine(text), words));
}

test('refuses an unclosed quote', () => {
  assert.equal(splitCommandLine(`a 'b`), null);
});
