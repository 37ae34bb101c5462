/**
 * Compares in both directions: rules and choices with checks and tests, ids with their citations, operations with
 * endpoints and handlers, examples of errors with refusals.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boxApi } from '../conformance/checks/box/api.ts';
import { gatewayApi } from '../conformance/checks/gateway/api.ts';
import { makeHandlers as makeBoxHandlers } from '../src/box/api/handlers.ts';
import { refusals as boxRefusals } from '../src/box/api/refusals.ts';
import { operations as boxEndpoints } from '../src/box/api/validators.gen.ts';
import type { Box } from '../src/box/server.ts';
import type { Gateway } from '../src/gateway/gateway.ts';
import { makeHandlers as makeGatewayHandlers } from '../src/gateway/handlers.ts';
import { refusals as gatewayRefusals } from '../src/gateway/refusals.ts';
import { operations as gatewayEndpoints } from '../src/gateway/validators.gen.ts';
import { asArray, namedExamples, operationsOf, readDocument } from './document.ts';
import { constraintRefusals } from './generate-validators.ts';
import { type CheckedBy, readRegister } from './register.ts';
import { citationsIn } from './texts.ts';

/** The handlers are not called, so they need no ports. */
const services = [
  {
    service: 'box',
    checks: [...boxApi.checks, ...boxApi.profileChecks],
    endpoints: boxEndpoints,
    handlers: makeBoxHandlers({} as Box),
    refusals: boxRefusals,
  },
  {
    service: 'gateway',
    checks: [...gatewayApi.checks, ...gatewayApi.profileChecks],
    endpoints: gatewayEndpoints,
    handlers: makeGatewayHandlers({} as Gateway),
    refusals: gatewayRefusals,
  },
] as const;

for (const { service, checks, endpoints, handlers, refusals } of services) {
  const document = readDocument(service);
  const operations = operationsOf(document);
  const register = readRegister(service);
  const known = new Set(register.map((rule) => rule.id));
  const named = new Set(checks.flatMap((check) => check.rules));
  const idsCheckedBy = (by: CheckedBy) => register.filter((rule) => rule.checkedBy === by).map((rule) => rule.id);

  describe(`${service}: register and checks`, () => {
    test('ids are unique', () => {
      const ids = register.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
    });

    test('a must is checked somewhere, and a note says why it is not', () => {
      const wrong = register.filter(
        ({ id, level, checkedBy }) => /^(box|gateway)\//.test(id) && (level === 'note') !== (checkedBy === 'nothing'),
      );
      assert.deepEqual(wrong, []);
    });

    test('every rule and choice that the suite checks is named by a check', () => {
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
      const ids = checks.map((check) => check.id);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
      );
    });

    test('every rule that is checked in the browser is named by a browser test', () => {
      const cited = citationsIn(['.ci/**/*.ts', 'src/box/page/**/*.test.ts']);
      assert.deepEqual(
        idsCheckedBy('browser').filter((id) => !cited.has(id)),
        [],
      );
    });

    test('every rule that is checked in unit tests is named by one', () => {
      const cited = citationsIn(['src/**/*.test.ts', 'src/*/testing/*.ts', 'spec/**/*.test.ts']);
      assert.deepEqual(
        idsCheckedBy('unit').filter((id) => !cited.has(id)),
        [],
      );
    });
  });

  describe(`${service}: document and code`, () => {
    test('the endpoint table has the operations of the document with method and path, in its order', () => {
      const rows = endpoints.map(({ operationId, method, path }) => ({ operationId, method, path }));
      assert.deepEqual(
        rows,
        operations.map(({ operationId, method, path }) => ({ operationId, method, path })),
      );
    });

    test('every operation has a handler, and every handler an operation', () => {
      assert.deepEqual(Object.keys(handlers).sort(), operations.map((operation) => operation.operationId).sort());
    });

    test('every example of an error is a refusal with that status, and a text of its form', () => {
      const found = new Map<string, { status: number; text: string }>(Object.entries(refusals));
      const wrong = namedExamples(document).filter(({ refusal, status, text }) => {
        const row = found.get(refusal);
        return row?.status !== status || !textForm(row.text).test(text);
      });
      assert.deepEqual(wrong, []);
    });

    test('every refusal is an example in the document', () => {
      const examples = new Set(namedExamples(document).map((example) => example.refusal));
      assert.deepEqual(
        Object.keys(refusals).filter((name) => !examples.has(name)),
        [],
      );
    });

    test('every refusal that the document names by itself, or that a constraint causes, exists', () => {
      const caused = [
        ...asArray(document['x-refusals'], 'x-refusals').map(String),
        ...operations.flatMap((operation) => [
          ...operation.refusals,
          ...constraintRefusals(operation).map((row) => row.refusal),
        ]),
      ];
      assert.deepEqual(
        caused.filter((name) => !Object.hasOwn(refusals, name)),
        [],
      );
    });
  });
}

/** Matches the texts of a refusal, in which each `{…}` is any text. */
function textForm(template: string): RegExp {
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

test('every id that a text cites is in a register', () => {
  const everywhere = ['{src,spec,conformance,fakes,bench,.ci,deploy}/**/*.{ts,js,cjs,md,html,css,yaml}', '*.md'];
  const known = new Set(services.flatMap(({ service }) => readRegister(service)).map((rule) => rule.id));
  const checks = new Set<string>(services.flatMap(({ checks }) => checks.map((check) => check.id)));
  const cited = [...citationsIn(everywhere)].filter(([, files]) => files.some((file) => !isAboutIds(file)));
  assert.deepEqual(
    cited.filter(([id]) => !known.has(id) && !checks.has(id)),
    [],
  );
});

/** This test uses invented ids. */
function isAboutIds(file: string): boolean {
  return file === 'spec/register.test.ts';
}
