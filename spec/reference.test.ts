/** The documents as people read them: everything has a description and an example, and every name is defined. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import {
  asArray,
  asObject,
  type Json,
  type JsonObject,
  namedExamples,
  operationsOf,
  readDocument,
  resolve,
} from './document.ts';
import { strictDocument } from './strict.ts';
import { readText } from './texts.ts';

type Example = { readonly where: string; readonly schema: JsonObject; readonly value: Json };

const formats = addFormats as unknown as typeof addFormats.default;

for (const service of ['box', 'gateway'] as const) {
  describe(service, () => {
    const document = readDocument(service);
    const operations = operationsOf(document);
    const schemas = Object.entries(asObject(asObject(document.components, 'components').schemas, 'schemas'));

    test('has the version of the package', () => {
      assert.equal(asObject(document.info, 'info').version, JSON.parse(readText('package.json')).version);
    });

    test('says who makes it, under which licence, and where a server is', () => {
      const { contact, license } = asObject(document.info, 'info');
      assert.ok(contact);
      assert.equal(asObject(license, 'license').name, JSON.parse(readText('package.json')).license);
      for (const server of asArray(document.servers, 'servers')) {
        const { url, variables } = asObject(server, 'server');
        const used = [...String(url).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        assert.deepEqual(Object.keys(asObject(variables ?? {}, 'variables')), used);
      }
    });

    test('every tag is described, and every operation has one of them', () => {
      const tags = asArray(document.tags, 'tags').map((tag) => asObject(tag, 'tag'));
      assert.deepEqual(
        tags.filter(({ description }) => !description),
        [],
      );
      const used = Object.values(asObject(document.paths, 'paths')).flatMap((item) =>
        Object.values(asObject(item, 'path')).flatMap((value) => (value as JsonObject).tags ?? []),
      );
      assert.deepEqual([...new Set(used.map(String))].sort(), tags.map(({ name }) => String(name)).sort());
    });

    test('every schema and every property has a description', () => {
      const missing = schemas.flatMap(([name, value]) => {
        const schema = asObject(value, name);
        const properties = Object.entries(asObject(schema.properties ?? {}, name));
        const without = properties.filter(([, property]) => {
          const own = asObject(property, name);
          return !('$ref' in own || 'allOf' in own || own.description);
        });
        return [...(schema.description ? [] : [name]), ...without.map(([property]) => `${name}.${property}`)];
      });
      assert.deepEqual(missing, []);
    });

    test('every operation has a summary and a description, and examples of its request and its success', () => {
      for (const { operationId, method, path, responses } of operations) {
        const item = asObject(asObject(document.paths, 'paths')[path], path);
        const operation = asObject(item[method.toLowerCase()], operationId);
        assert.ok(operation.summary && operation.description, operationId);
        const bodies = [
          ...(operation.requestBody === undefined ? [] : [asObject(operation.requestBody, operationId)]),
          ...[...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response),
        ];
        for (const body of bodies) {
          const [media] = Object.values(asObject(body.content, operationId));
          const examples = asObject(asObject(media, operationId).examples ?? {}, operationId);
          assert.ok(Object.keys(examples).length > 0, operationId);
        }
      }
    });

    test('every example is valid under its schema', () => {
      const ajv = new Ajv({ strict: false, allErrors: true });
      formats(ajv);
      ajv.addSchema(strictDocument(document), 'document');
      const wrong = [...examplesIn(document, document, '#')].flatMap(({ where, schema, value }) => {
        // A `$ref` of the document leads into it from outside.
        const outside = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
        const validate = ajv.compile(strictDocument(outside));
        return validate(value) ? [] : [{ where, value, errors: validate.errors }];
      });
      assert.deepEqual(wrong, []);
    });

    test('the first example of a 400 is one that a client meets', () => {
      const rare = operations.filter(({ responses, operationId }) => {
        const media = asObject(responses.get('400')?.content, operationId)['application/json'];
        const [first, ...others] = Object.keys(asObject(asObject(media, operationId).examples, operationId));
        return first === 'malformedRequest' && others.length > 0;
      });
      assert.deepEqual(rare, []);
    });

    test('every text that the description calls fixed is that of a refusal', () => {
      const { description } = asObject(document.info, 'info');
      const [, list = ''] = /Only these are fixed: (.*?)\.\s/s.exec(String(description)) ?? [];
      const fixed = [...list.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replace(/\s+/g, ' '));
      const texts = namedExamples(document).map(({ text }) => text);
      assert.ok(fixed.length >= 7);
      assert.deepEqual(
        fixed.filter((text) => !texts.includes(text)),
        [],
      );
    });

    test('every name in a text is defined in the document', () => {
      const defined = new Set([
        ...operations.map(({ operationId }) => operationId),
        ...schemas.map(([name]) => name),
        ...schemas.flatMap(([name, schema]) => Object.keys(asObject(asObject(schema, name).properties ?? {}, name))),
        ...namedExamples(document).map(({ refusal }) => refusal),
        ...asArray(document['x-refusals'], 'x-refusals').map(String),
      ]);
      const texts = [...JSON.stringify(document).matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)];
      const named = texts.flatMap(([, text = '']) => [...text.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)`/g)]);
      assert.deepEqual(
        named.map(([, name = '']) => name).filter((name) => !defined.has(name)),
        [],
      );
    });
  });
}

/** All examples of the document with their schemas. HTML is no JSON value, so its examples are left out. */
function* examplesIn(document: JsonObject, value: Json, where: string): Generator<Example> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* examplesIn(document, child, `${where}/${key}`);
  }
  if (Array.isArray(value)) return;
  // A schema has its own example; media types, parameters and headers have examples of their `schema`.
  const schema = asObject(value.schema ?? value, where);
  if ('example' in value) yield { where, schema, value: value.example ?? null };
  if (where.endsWith('/text/html') || value.schema === undefined) return;
  for (const [name, example] of Object.entries(asObject(value.examples ?? {}, where))) {
    yield { where: `${where}: ${name}`, schema, value: resolve(document, example, where).value ?? null };
  }
}
