// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate } from './interpolate.ts';

const variables: Record<string, string> = { V: 'v', E: '' };
const lookup = (name: string) => variables[name];

/** Recorded with Compose 2.26.1 on 21 November 2026. */
const cases: [template: string, result: string][] = [
  ['a$ b', 'a$ b'],
  ['a$', 'a$'],
  ['$1x', '$1x'],
  ['${V:-d}${V-d}${U:-d}${U-d}${E:-d}${E-d}${V:+p}${U:+p}${E:+p}${E+p}', 'vvdddpp'],
  ['$$V $${V}', '$V ${V}'],
  ['${U:-${V}}', 'v'],
  ['${U:-a}b}', 'ab}'],
  ['${U:-$V-x}', 'v-x'],
  ['${V:?no}${V?no}', 'vv'],
];

for (const [template, result] of cases) {
  test(`makes ${result} of ${template}`, () => assert.equal(interpolate(template, lookup), result));
}

for (const template of ['${', '${1}', '${V!}', '${V', 'a${}b', '${V:}']) {
  test(`refuses ${template}`, () => {
    assert.throws(() => interpolate(template, lookup), { message: `Invalid template: "${template}"` });
  });
}

test('names a required variable that is missing, with the message when there is one', () => {
  assert.throws(() => interpolate('${U?}', lookup), { message: 'required variable U is missing a value' });
  assert.throws(() => interpolate('${E:?set it}', lookup), {
    message: 'required variable E is missing a value: set it',
  });
});

test('warns of an unset variable and takes it as empty', () => {
  const warnings: string[] = [];
  assert.equal(
    interpolate('a${U}b', lookup, (text) => warnings.push(text)),
    'ab',
  );
  assert.deepEqual(warnings, ['The "U" variable is not set. Defaulting to a blank string.']);
});
