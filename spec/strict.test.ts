import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asObject, operationsOf, readDocument } from './document.ts';
import { openDocument, strictDocument } from './strict.ts';

test('closes objects, enumerates values and removes the extensions', () => {
  const strict = strictDocument({
    components: {
      schemas: {
        Closed: { type: 'object', 'x-closed': true, properties: { a: { type: 'string' } } },
        Kind: { type: 'string', 'x-extensible-enum': ['a', 'b'] },
        Yes: { type: 'boolean', 'x-const': true },
        Own: { required: ['a'], 'x-boxgate-required': ['b'], properties: { b: { type: 'string', 'x-boxgate': true } } },
      },
    },
  });
  assert.deepEqual(asObject(strict.components, 'components').schemas, {
    Closed: { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
    Kind: { type: 'string', enum: ['a', 'b'] },
    Yes: { type: 'boolean', enum: [true] },
    Own: { required: ['a', 'b'], properties: { b: { type: 'string' } } },
  });
});

test("leaves the form of boxgate's own values open for other implementations", () => {
  const own = { type: 'string', 'x-boxgate': true };
  const result = { type: 'object', 'x-boxgate': true, properties: { id: own } };
  const app = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, state: own } };
  assert.deepEqual(openDocument({ app, result }), {
    app: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, state: {} } },
    result: { type: 'object' },
  });
});

test('does not change the document that it is given', () => {
  const document = readDocument('box');
  const before = JSON.stringify(document);
  strictDocument(document);
  assert.equal(JSON.stringify(document), before);
});

for (const service of ['box', 'gateway'] as const) {
  test(`every response of the ${service} requires its headers and the common ones`, () => {
    const always = ['Cache-Control', 'X-Content-Type-Options', 'Server'];
    for (const { operationId, responses } of operationsOf(strictDocument(readDocument(service)))) {
      for (const [status, response] of responses) {
        const headers = asObject(response.headers, `${operationId} ${status}`);
        const own = status === '405' ? ['Allow'] : [];
        const needsToken = status === '401' && operationId !== 'registerBox' ? ['WWW-Authenticate'] : [];
        assert.deepEqual(Object.keys(headers), [...always, ...own, ...needsToken], `${operationId} ${status}`);
        for (const name of always) assert.equal(asObject(headers[name], name).required, true);
      }
    }
    const shared = asObject(
      asObject(strictDocument(readDocument(service)).components, 'components').headers,
      'headers',
    );
    for (const [name, header] of Object.entries(shared)) assert.equal(asObject(header, name).required, true, name);
  });
}
