import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { schemaProblem } from './schema-problem.ts';

const schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, state: { enum: ['up', 'down'] }, ports: { items: { maximum: 9 } } },
};
const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).compile(schema);

for (const [value, message, expected, actual] of [
  [{}, 'the body fits, at its top', 'a field "name"', {}],
  [{ name: 5 }, 'the body fits, at /name', 'be string', 5],
  [{ name: 'a', state: 'half' }, 'the body fits, at /state', 'one of ["up","down"]', 'half'],
  [{ name: 'a', more: 1 }, 'the body fits, at its top', 'no other field', 'more'],
  [{ name: 'a', ports: [1, 10] }, 'the body fits, at /ports/1', 'be <= 9', 10],
  [{ name: 5, more: 1 }, 'the body fits, at its top (and 1 more)', 'no other field', 'more'],
] as const) {
  test(`a body of ${JSON.stringify(value)} is described in one sentence`, () => {
    validate(value);
    const {
      message: text,
      expected: wanted,
      actual: found,
    } = schemaProblem('the body fits', value, validate.errors ?? []);
    assert.deepEqual([text, wanted, found], [message, expected, actual]);
  });
}
