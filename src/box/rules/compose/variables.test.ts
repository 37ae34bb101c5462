// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate } from './variables.ts';

const env = new Map([
  ['A', 'one'],
  ['EMPTY', ''],
]);

const cases: [string, string | null][] = [
  ['plain', 'plain'],
  ['', ''],
  ['$A', 'one'],
  ['x${A}y', 'xoney'],
  ['$ABSENT.', '.'],
  ['$$A', '$A'],
  ['${A}${A}', 'oneone'],
  ['${ABSENT}', ''],
  ['${EMPTY-d}', ''],
  ['${EMPTY:-d}', 'd'],
  ['${ABSENT-d}', 'd'],
  ['${ABSENT:-${A}}', 'one'],
  ['${ABSENT:-${OTHER:-deep}}!', 'deep!'],
  ['${A:+set}', 'set'],
  ['${EMPTY+set}', 'set'],
  ['${EMPTY:+set}', ''],
  ['${ABSENT:+set}', ''],
  ['${A:?needed}', 'one'],
  ['${ABSENT?needed}', null],
  ['${EMPTY:?needed}', null],
  ['${A', null],
  ['${A!}', null],
  ['${ABSENT:-${A!}}', null],
  ['${ABSENT:-d', null],
  [`${'${ABSENT:-'.repeat(60)}d${'}'.repeat(60)}`, null],
  ['$A'.repeat(2000), null],
  ['$1', '$1'],
  ['$', '$'],
  ['$2b$12$A', '$2b$12one'],
];

for (const [text, expected] of cases) {
  test(`${JSON.stringify(text)} becomes ${JSON.stringify(expected)}`, () => {
    assert.equal(interpolate(text, env), expected);
  });
}
