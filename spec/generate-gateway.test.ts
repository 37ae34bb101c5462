/** Tests of the files that are generated from the gateway's document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyValidators, constraintRefusals, tokenOperations } from '../src/gateway/validators.gen.ts';

const route = { app_name: 'photos', subdomain: 'album', port: 8080 };

test('a subdomain is one DNS label that does not start with xn--, in any case of letters', () => {
  const isLabel = (text: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !text.startsWith('xn--');
  const wrong: string[] = [];
  const compare = (subdomain: string) => {
    if (bodyValidators.publishRoute({ ...route, subdomain }) !== isLabel(subdomain)) wrong.push(subdomain);
  };
  const letters = ['x', 'n', '-', 'a', '0', 'X', '.'];
  const walk = (text: string) => {
    compare(text);
    if (text.length < 5) for (const letter of letters) walk(text + letter);
  };
  walk('');
  for (const start of ['a', 'x', 'xn', 'xn-', 'xn--', 'x-', '-']) {
    for (const length of [62, 63, 64]) {
      for (const end of ['a', '-']) compare(start.padEnd(length - 1, 'n-') + end);
    }
  }
  for (const text of ['a\n', '\na', 'a.b', 'a b', 'ä', '`', '{{', 'ı']) compare(text);
  assert.deepEqual(wrong, []);
});

test('missing fields are checked before invalid ones; only a string can be missing by being empty', () => {
  assert.deepEqual(
    constraintRefusals.publishRoute.map(({ at, refusal, absent }) => [at, refusal, absent]),
    [
      ['app_name', 'routeFieldsMissing', [null, '']],
      ['subdomain', 'routeFieldsMissing', [null, '']],
      ['port', 'routeFieldsMissing', [null]],
      ['app_name', 'routeInvalid', undefined],
      ['subdomain', 'routeInvalid', undefined],
      ['port', 'routeInvalid', undefined],
      ['access', 'routeInvalid', undefined],
    ],
  );
});

test('every invalid field has a rule for the message, one line without a full stop', () => {
  const rows = Object.values(constraintRefusals).flat();
  assert.deepEqual(
    rows.filter(({ absent, rule = '' }) => (absent === undefined) !== /^\w.*[\w-]$/.test(rule)),
    [],
  );
});

test('every operation requires a token, except the health check and the registration', () => {
  const others = Object.keys(constraintRefusals).filter((id) => !new Set<string>(tokenOperations).has(id));
  assert.deepEqual(others, ['getHealth', 'registerBox']);
});
