import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holds } from '../../../lib/testing/holds.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { mergeDotenv, readDotenv } from './dotenv.ts';
import { coerceSettings } from './setting-values.ts';

const setting = (name: string, type: string) => ({
  name,
  label: '',
  description: '',
  type,
  required: false,
  default: null,
});
const manifest: Manifest = {
  name: 'a',
  display_name: 'A',
  version: '1',
  description: '',
  description_long: '',
  ports: [],
  icon: '',
  settings: [
    setting('TEXT', 'text'),
    setting('PORT', 'number'),
    setting('SECRET', 'password'),
    setting('COMPOSE_PROFILES', 'text'),
  ],
};

const coerce = (settings: Record<string, unknown>) => coerceSettings(settings, manifest);
const valuesOf = (settings: Record<string, unknown>) => {
  const result = coerce(settings);
  return result.ok ? Object.fromEntries(result.values) : result.problem;
};
const problemOf = (settings: Record<string, unknown>) => {
  const result = coerce(settings);
  return result.ok ? assert.fail('no problem') : result.problem;
};

test('box/post-rules/1, choice/box/87: makes a string of every JSON value', () => {
  const rows: [unknown, string][] = [
    ['', ''],
    [' as it is ', ' as it is '],
    [null, ''],
    [0, '0'],
    [-0, '0'],
    [1.5, '1.5'],
    [1e21, '1e+21'],
    [true, 'true'],
    [false, 'false'],
    [[], '[]'],
    [[1, 'a', null], '[1,"a",null]'],
    [{ a: { b: 1 } }, '{"a":{"b":1}}'],
    ['a\nb\r\tc', 'a\nb\r\tc'],
  ];
  for (const [value, text] of rows) assert.deepEqual(valuesOf({ TEXT: value }), { TEXT: text });
});

test('choice/box/88: accepts keys that the manifest does not declare', () => {
  assert.deepEqual(valuesOf({ OTHER: 'x', _a1: 1 }), { OTHER: 'x', _a1: '1' });
  const settings = JSON.parse('{"__proto__": "x", "constructor": "y"}');
  assert.deepEqual(valuesOf(settings), settings);
});

test('choice/box/88: refuses a key that is not valid in .env', () => {
  for (const key of ['', '1A', 'A B', 'A-B', 'A.B', 'A=B', 'Ä', 'A\n', '#A']) {
    assert.match(problemOf({ [key]: 'x' }), /^setting ".*": expected a name of letters/);
  }
  assert.ok(problemOf({ ['x y'.repeat(1000)]: '' }).length < 200);
});

test("choice/box/88: refuses Compose's own variables, unless the manifest declares them", () => {
  assert.match(problemOf({ COMPOSE_FILE: '/etc/passwd' }), /^setting "COMPOSE_FILE": Compose's own/);
  assert.deepEqual(valuesOf({ COMPOSE_PROFILES: 'x', COMPOSER: 'y' }), { COMPOSE_PROFILES: 'x', COMPOSER: 'y' });
});

test('choice/box/88: refuses values that .env cannot hold', () => {
  for (const value of [
    '\0',
    'a\0b',
    '\u0001',
    '\u0008',
    '\u000b',
    '\u000c',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u009f',
  ]) {
    assert.match(problemOf({ TEXT: value }), /^setting "TEXT": the value has a control character/);
  }
  assert.match(problemOf({ TEXT: '\ud800' }), /not valid Unicode/);
  assert.match(problemOf({ TEXT: JSON.parse('1e999') }), /too large/);
  let deep: unknown = [];
  for (let i = 0; i < 500_000; i++) deep = [deep];
  assert.match(problemOf({ TEXT: deep }), /nested too deeply/);
});

test('choice/box/88: requires a number or nothing if the manifest says number', () => {
  for (const value of ['', null, 0, 8080, -1, 1.5, 1e21, '8080', '-1', '+1', '1.', '.5', '1e5', '007']) {
    assert.equal(coerce({ PORT: value }).ok, true, String(value));
  }
  for (const value of ['x', ' ', ' 1', '1 ', '1\n', '1,5', '0x10', '--1', '.', 'e5', 'NaN', 'Infinity', true, [], {}]) {
    assert.equal(problemOf({ PORT: value }), 'setting "PORT": expected a number', String(value));
  }
});

test('should/box/17: a problem never repeats a value', () => {
  assert.doesNotMatch(problemOf({ SECRET: 'hunter2\0' }), /hunter2/);
  assert.doesNotMatch(problemOf({ PORT: 'hunter2' }), /hunter2/);
});

test('every accepted value of any JSON is read back from .env exactly', () => {
  holds(
    fc.property(fc.dictionary(fc.stringMatching(/^[A-Z_]{1,4}$/), fc.jsonValue()), (settings) => {
      const result = coerce(settings);
      if (result.ok) assert.deepEqual(readDotenv(mergeDotenv('', result.values)), result.values);
    }),
  );
});
