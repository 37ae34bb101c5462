/**
 * The texts agree: rules and choices with checks and tests, ids with those who cite them, operations with endpoints
 * and handlers, fixed error texts with refusals. Both directions each.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxChecks } from '../conformance/box/checks.ts';
import { endpoints } from '../src/box/endpoints.ts';
import { makeHandlers } from '../src/box/handlers.ts';
import type { BoxPorts } from '../src/box/ports.ts';
import { refusals } from '../src/box/refusals.ts';
import { asArray, namedExamples, operationsOf, readDocument } from './document.ts';
import { constraintRefusals } from './generate-validators.ts';
import { type CheckedBy, readRegister } from './register.ts';
import { citationsIn, readText } from './texts.ts';

const document = readDocument(new URL('box.openapi.yaml', import.meta.url));
const operations = operationsOf(document);
const register = readRegister('box');
const bothRegisters = [...register, ...readRegister('gateway')];
const known = new Set(bothRegisters.map((rule) => rule.id));
const named = new Set(boxChecks.flatMap((check) => check.rules));
const idsCheckedBy = (by: CheckedBy) =>
  register.filter((rule) => rule.checkedBy === by).map((rule) => rule.id);

test('ids are unique, and numbered without a gap within their section', () => {
  const sections = new Map<string, number>();
  const misnumbered = bothRegisters.filter(({ id }) => {
    const [, section = '', number] = /^(.+)\/(\d+)$/.exec(id) ?? [];
    sections.set(section, (sections.get(section) ?? 0) + 1);
    return Number(number) !== sections.get(section);
  });
  assert.deepEqual(misnumbered, []);
});

test('a must is checked somewhere, and a note says why it is not', () => {
  const wrong = bothRegisters.filter(
    ({ level, checkedBy }) => level !== 'choice' && (level === 'note') !== (checkedBy === 'nothing'),
  );
  assert.deepEqual(wrong, []);
});

test('every rule and choice that the suite has to check is named by a check', () => {
  const expected = [...idsCheckedBy('suite'), ...idsCheckedBy('html')];
  assert.deepEqual(
    expected.filter((id) => !named.has(id)),
    [],
  );
});

test('every id that a check names is in the register and can be checked', () => {
  const notes = new Set(register.filter((rule) => rule.level === 'note').map((rule) => rule.id));
  assert.deepEqual(
    [...named].filter((id) => !known.has(id) || notes.has(id)),
    [],
  );
});

test('no two checks have the same id', () => {
  const ids = boxChecks.map((check) => check.id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('every rule that the browser has to show is named by a test that drives it', () => {
  const cited = citationsIn(['.ci/**/*.ts', 'src/box/page/**/*.test.ts']);
  assert.deepEqual(
    idsCheckedBy('browser').filter((id) => !cited.has(id)),
    [],
  );
});

test('every rule that a unit test has to show is named by one', () => {
  const cited = citationsIn(['src/**/*.test.ts', 'spec/**/*.test.ts']);
  assert.deepEqual(
    idsCheckedBy('unit').filter((id) => !cited.has(id)),
    [],
  );
});

test('every id that a text cites is in the register', () => {
  const everywhere = [
    '{src,spec,conformance,fakes,bench,.ci,deploy}/**/*.{ts,js,cjs,md,html,css,yaml}',
    '*.md',
  ];
  const checks = new Set(boxChecks.map((check) => check.id));
  const cited = [...citationsIn(everywhere)].filter(([, files]) => files.some((file) => !isAboutIds(file)));
  assert.deepEqual(
    cited.filter(([id]) => !known.has(id) && !checks.has(id)),
    [],
  );
});

/** The test of the reader of ids makes ids up. */
function isAboutIds(file: string): boolean {
  return file === 'spec/register.test.ts';
}

test('the endpoint table is the document: the same operations with the same method and path, in its order', () => {
  const rows = endpoints.map(({ operationId, method, path }) => ({ operationId, method, path }));
  assert.deepEqual(
    rows,
    operations.map(({ operationId, method, path }) => ({ operationId, method, path })),
  );
});

test('every operation has a handler, and there is no other', () => {
  // Handlers are made, not run: the ports are never touched.
  const handlers = makeHandlers({} as BoxPorts);
  assert.deepEqual(Object.keys(handlers).sort(), operations.map((operation) => operation.operationId).sort());
});

test('every named example is a refusal with the same status and text', () => {
  const expected = namedExamples(document).map(({ refusal, status, text }) => [refusal, { status, text }]);
  const found = expected.map(([name]) => [name, refusals[name as keyof typeof refusals]]);
  assert.deepEqual(found, expected);
});

test('every fixed text of a refusal is a named example, and every other refusal is in the document by name', () => {
  const examples = new Set(namedExamples(document).map((example) => example.refusal));
  const text = readText('spec/box.openapi.yaml');
  const missing = Object.entries(refusals).filter(([name, refusal]) =>
    /\{\w+\}/.test(refusal.text) ? !text.includes(`\`${name}\``) : !examples.has(name),
  );
  assert.deepEqual(missing, []);
});

test('every refusal that a constraint of the document causes exists', () => {
  const caused = [
    ...asArray(document['x-refusals'], 'x-refusals').map(String),
    ...operations.flatMap((operation) => constraintRefusals(operation).map((row) => row.refusal)),
  ];
  assert.deepEqual(
    caused.filter((name) => !Object.hasOwn(refusals, name)),
    [],
  );
});
