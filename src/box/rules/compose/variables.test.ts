// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate, unsetIn, unsetVariables } from './variables.ts';

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

const setOnes = new Map([
  ['SET', '1'],
  ['EMPTY', ''],
]);

test('finds variables that nothing sets, as Compose does', () => {
  const document = {
    services: {
      web: {
        image: 'registry/web:$TAG',
        environment: {
          A: '${SET}',
          B: '${B}',
          C: '${C:-c}',
          D: '${D-}',
          E: '${EMPTY}',
          F: '$$F',
          G: '${G:+x}',
          $KEY: 1,
        },
        ports: ['${PORT}:80', 90, null],
        labels: ['${H:-${INNER}}', '${SET:-${UNUSED}}', '${SET:+${PLUS}}', '$B', '${J?no}', '$1 ${'],
      },
    },
  };
  assert.deepEqual(unsetIn(document, setOnes), ['TAG', 'B', 'PORT', 'INNER', 'PLUS']);
  assert.deepEqual(unsetIn(null, setOnes), []);
});

test('finds the variables that Compose misses, each once', () => {
  const said = [
    'time="2026-01-02T03:04:05Z" level=warning msg="The \\"DB_PASSWORD\\" variable is not set. Defaulting to a blank string."',
    'The "PORT" variable is not set. Defaulting to a blank string.',
    'The "PORT" variable is not set. Defaulting to a blank string.',
    'The "-" variable is not set.',
  ];
  assert.deepEqual(unsetVariables(said.join('\n')), ['DB_PASSWORD', 'PORT']);
  assert.deepEqual(unsetVariables(''), []);
});
