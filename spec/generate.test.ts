import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { components } from '../src/box/api/api.gen.ts';
import { bodyValidators, constraintRefusals, operations, pathValidators } from '../src/box/api/validators.gen.ts';
import { staleFiles } from './generate.ts';
import { readText } from './texts.ts';

test('generated files are current', async () => {
  assert.deepEqual(await staleFiles(), []);
});

test('the TypeScript type distinguishes a broken app from an installed one by `ok`', () => {
  const error = (app: components['schemas']['InstalledApp'] | components['schemas']['BrokenApp']) =>
    app.ok ? null : app.error;
  // The test is that this compiles; the assertion only keeps the code in use.
  const state = { state: 'unknown' as const, state_detail: 'x', published: [], open_ports: [] };
  assert.equal(error({ ok: false, name: 'a', error: 'gone', available_version: null, ...state }), 'gone');
});

for (const folder of ['src/box/api', 'src/gateway']) {
  test(`the generated validators of ${folder} import nothing`, () => {
    const text = readText(`${folder}/validators.gen.ts`);
    // Matches calls of require, but not those in strings of ajv's helpers.
    assert.equal(/^import\b|[^'"\w]require\(/m.test(text), false);
  });
}

test('every operation with constraints has validators for them', () => {
  for (const { operationId } of operations) {
    for (const { in: place } of constraintRefusals[operationId]) {
      const validators: Readonly<Record<string, unknown>> = place === 'path' ? pathValidators : bodyValidators;
      assert.equal(typeof validators[operationId], 'function', `${operationId} ${place}`);
    }
  }
});

/** Bodies of clients, and the property that is refused; `null` if the body is valid. */
const bodies: readonly [keyof typeof bodyValidators, unknown, string | null][] = [
  ['installApp', { name: 'a' }, null],
  ['installApp', { name: 'a', settings: {} }, null],
  ['installApp', { name: 'a', settings: null }, null],
  ['installApp', { name: 'a', more: 1 }, null],
  ['installApp', {}, 'name'],
  ['installApp', { name: '' }, 'name'],
  ['installApp', { name: null }, 'name'],
  ['installApp', { name: 7 }, 'name'],
  ['installApp', { name: ['a'] }, 'name'],
  ['installApp', { name: 'a', settings: [] }, 'settings'],
  ['installApp', { name: 'a', settings: '' }, 'settings'],
  ['installApp', { name: 'a', settings: false }, 'settings'],
  ['removeApp', { name: 'a', settings: 5 }, null],
  ['removeApp', {}, 'name'],
  ['updateAppSettings', { settings: {} }, null],
  ['updateAppSettings', { settings: { A: null, B: [1], C: { D: 1 } } }, null],
  ['updateAppSettings', {}, 'settings'],
  ['updateAppSettings', { settings: null }, 'settings'],
  ['updateAppSettings', { settings: [] }, 'settings'],
  ['updateAppSettings', { settings: 'A=1' }, 'settings'],
];
for (const [operationId, body, at] of bodies) {
  test(`${operationId} ${at === null ? 'takes' : `finds '${at}' wrong in`} ${JSON.stringify(body)}`, () => {
    const valid = bodyValidators[operationId](body);
    const found = (bodyValidators[operationId].errors ?? []).map(({ instancePath, params }) =>
      instancePath === '' ? params.missingProperty : instancePath.split('/')[1],
    );
    assert.equal(valid, at === null);
    assert.deepEqual([...new Set(found)], at === null ? [] : [at]);
  });
}

for (const [name, valid] of [
  ['a', true],
  ['..', true],
  ['%2e%2e', true],
  ['UPPER', true],
  ['x'.repeat(300), true],
  ['', false],
  ['/', false],
  ['a/b', false],
  ['/a', false],
] as const) {
  test(`${valid ? 'takes' : 'refuses'} '${name.slice(0, 10)}' as a name in a path`, () => {
    for (const validate of Object.values(pathValidators)) assert.equal(validate({ name }), valid);
  });
}
