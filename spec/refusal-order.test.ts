/** The gateway's document lists all refusals of an operation in the order of their checks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asArray, asObject, type JsonObject, operationsOf, readDocument } from './document.ts';
import { constraintRefusals } from './generate-validators.ts';

const document = readDocument('gateway');
const operations = operationsOf(document);
const first = asArray(document['x-refusals'], 'x-refusals').map(String);
const always = [...first, 'internalError', 'storageFailed'];

for (const operation of operations) {
  const { operationId, refusals } = operation;

  test(`${operationId}: lists the refusals of its responses`, () => {
    const errors = [...operation.responses].filter(([status]) => Number(status) >= 400);
    const named = errors.flatMap(([, response]) => namesOfExamples(response));
    const own = [...new Set(named)].filter((name) => !always.includes(name));
    assert.deepEqual([...refusals].sort(), own.sort());
  });

  test(`${operationId}: lists refusals of constraints in the order of their checks`, () => {
    const caused = [...new Set(constraintRefusals(operation).map(({ refusal }) => refusal))];
    assert.deepEqual(
      refusals.filter((name) => caused.includes(name)),
      caused,
    );
  });

  test(`${operationId}: lists refusals of the token first, if it requires one`, () => {
    const expected = operation.needsToken ? ['missingBearerToken', 'invalidBoxToken'] : [];
    assert.deepEqual(
      refusals.filter((name) => name.endsWith('BearerToken') || name === 'invalidBoxToken'),
      expected,
    );
    assert.deepEqual(refusals.slice(0, expected.length), expected);
  });
}

function namesOfExamples(response: JsonObject): string[] {
  const media = asObject(asObject(response.content, 'content')['application/json'], 'application/json');
  return Object.keys(asObject(media.examples ?? {}, 'examples'));
}
