import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsetVariables } from './unset-variables.ts';

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
