/** Tests of the files that are generated from the gateway's document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyValidators, constraintRefusals, tokenOperations } from '../src/gateway/validators.gen.ts';

const route = { app_name: 'photos', subdomain: 'album', port: 8080 };
const registration = { registration_token: 'secret', box_name: 'Attic' };

/** A body and its invalid fields. */
const bodies: readonly [keyof typeof bodyValidators, unknown, string[]][] = [
  ['registerBox', registration, []],
  ['registerBox', { ...registration, box_name: ' ' }, []],
  ['registerBox', { ...registration, box_name: 'Dachboden 🏠 屋根裏' }, []],
  ['registerBox', { ...registration, box_name: '🏠'.repeat(128) }, []],
  ['registerBox', { ...registration, box_name: '🏠'.repeat(129) }, ['box_name']],
  ['registerBox', { ...registration, box_name: 'a\nb' }, ['box_name']],
  ['registerBox', { ...registration, box_name: 'a\u007f' }, ['box_name']],
  ['registerBox', { ...registration, box_name: 'a\u0085' }, ['box_name']],
  ['registerBox', { ...registration, box_name: 7 }, ['box_name']],
  ['registerBox', { ...registration, registration_token: 7 }, ['registration_token']],
  ['registerBox', { ...registration, public_key: 7 }, []],
  ['registerBox', {}, ['registration_token', 'box_name']],
  ['publishRoute', route, []],
  ['publishRoute', { ...route, more: null }, []],
  ['publishRoute', { ...route, port: 1 }, []],
  ['publishRoute', { ...route, port: 65535 }, []],
  ['publishRoute', { ...route, port: 0 }, ['port']],
  ['publishRoute', { ...route, port: 65536 }, ['port']],
  ['publishRoute', { ...route, port: 80.5 }, ['port']],
  ['publishRoute', { ...route, port: '8080' }, ['port']],
  ['publishRoute', { ...route, port: '' }, ['port']],
  ['publishRoute', { ...route, port: true }, ['port']],
  ['publishRoute', { ...route, app_name: 'Photos.2_x-y' }, []],
  ['publishRoute', { ...route, app_name: 'a'.repeat(63) }, []],
  ['publishRoute', { ...route, app_name: 'a'.repeat(64) }, ['app_name']],
  ['publishRoute', { ...route, app_name: '.photos' }, ['app_name']],
  ['publishRoute', { ...route, app_name: 'a b' }, ['app_name']],
  ['publishRoute', { app_name: 7, subdomain: [], port: {} }, ['app_name', 'subdomain', 'port']],
];
for (const [operationId, body, at] of bodies) {
  test(`${operationId} finds ${at.join(', ') || 'nothing'} wrong in ${JSON.stringify(body).slice(0, 90)}`, () => {
    assert.equal(bodyValidators[operationId](body), at.length === 0);
    const found = (bodyValidators[operationId].errors ?? []).map(({ instancePath, params }) =>
      instancePath === '' ? params.missingProperty : instancePath.split('/')[1],
    );
    assert.deepEqual([...new Set(found)], at);
  });
}

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
