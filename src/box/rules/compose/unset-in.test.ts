// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsetIn } from './unset-in.ts';

const env = new Map([
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
  assert.deepEqual(unsetIn(document, env), ['TAG', 'B', 'PORT', 'INNER', 'PLUS']);
  assert.deepEqual(unsetIn(null, env), []);
});
