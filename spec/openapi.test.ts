/** Rules of the documents, so that client generators of all languages can read them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asArray, asObject, type Json, type JsonObject, operationsOf, readDocument, resolve } from './document.ts';
import { constraintRefusals } from './generate-validators.ts';

type Place = {
  readonly where: string;
  readonly schema: JsonObject;
};

/** All schemas of the document: objects with a type or a combination, and those under `schema`. */
function* schemasIn(value: Json, where: string): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(child, `${where}/${key}`);
  }
  if (!Array.isArray(value) && (typeof value.type === 'string' || 'oneOf' in value || 'nullable' in value)) {
    yield { where, schema: value };
  }
}

const without = (left: string) => (key: string, value: Json) => (key === left ? undefined : value);
const fold = (name: string) => name.replaceAll('_', '').toLowerCase();
/** Statuses of refusals that come before the operation or its fields are checked. */
const earlyStatuses = {
  box: (method: string) =>
    method === 'POST' ? ['400', '403', '405', '413', '421', '500'] : ['400', '405', '413', '500'],
  gateway: (_: string, needsToken: boolean) => (needsToken ? ['400', '401', '413', '500'] : ['400', '413', '500']),
};

for (const service of ['box', 'gateway'] as const) {
  describe(service, () => {
    const document = readDocument(service);
    const operations = operationsOf(document);
    const schemas = asObject(asObject(document.components, 'components').schemas, 'schemas');
    const everySchema = [...schemasIn(document, '#')];
    const placesWhere = (broken: (schema: JsonObject) => boolean) =>
      everySchema.filter(({ schema }) => broken(schema)).map(({ where }) => where);

    test('is OpenAPI 3.0.3', () => {
      assert.equal(document.openapi, '3.0.3');
    });

    test('operation ids are unique after case and underscores are folded', () => {
      const ids = operations.map((operation) => fold(operation.operationId));
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
      );
    });

    test('no schema has the name that generators give to a response of an operation', () => {
      const taken = new Set(operations.map((operation) => fold(`${operation.operationId}Response`)));
      assert.deepEqual(
        Object.keys(schemas).filter((name) => taken.has(fold(name))),
        [],
      );
    });

    test('every status is a number, and `default` is the error of all others', () => {
      for (const { operationId, method, path } of operations) {
        const item = asObject(asObject(document.paths, 'paths')[path], path);
        const responses = asObject(asObject(item[method.toLowerCase()], operationId).responses, operationId);
        assert.deepEqual(responses.default, { $ref: '#/components/responses/OtherError' }, operationId);
        const statuses = Object.keys(responses).filter((status) => !/^[245]\d\d$/.test(status));
        assert.deepEqual(statuses, ['default'], operationId);
      }
    });

    test('an operation has one success schema, whatever the number of its success statuses', () => {
      const several = operations.filter(({ responses }) => {
        const successes = [...responses].filter(([status]) => status.startsWith('2'));
        const schemas = successes.map(([, { content }]) => JSON.stringify(content, without('examples')));
        return new Set(schemas).size !== 1;
      });
      assert.deepEqual(
        several.map((operation) => operation.operationId),
        [],
      );
    });

    test('every error status carries the one Error component as JSON', () => {
      const error = JSON.stringify({ $ref: '#/components/schemas/Error' });
      const others = operations.flatMap(({ operationId, responses }) =>
        [...responses]
          .filter(([status]) => Number(status) >= 400)
          .filter(([, { content }]) => {
            const media = asObject(content, operationId);
            const json = asObject(media['application/json'], operationId);
            return Object.keys(media).length !== 1 || JSON.stringify(json.schema) !== error;
          })
          .map(([status]) => `${operationId} ${status}`),
      );
      assert.deepEqual(others, []);
    });

    test('every operation documents the refusals that come before it', () => {
      const missing = operations.flatMap(({ operationId, method, needsToken, responses }) => {
        const early = earlyStatuses[service](method, needsToken);
        return early.filter((status) => !responses.has(status)).map((status) => `${operationId} ${status}`);
      });
      assert.deepEqual(missing, []);
    });

    test('`nullable` is used together with a type', () => {
      assert.deepEqual(
        placesWhere((schema) => 'nullable' in schema && typeof schema.type !== 'string'),
        [],
      );
    });

    test('every number has the format double', () => {
      assert.deepEqual(
        placesWhere((schema) => schema.type === 'number' && schema.format !== 'double'),
        [],
      );
    });

    test('has no keyword of OpenAPI 3.1 and none that generators fail on', () => {
      const words = [
        'const',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'discriminator',
        'patternProperties',
        '$defs',
        'if',
      ];
      const used = placesWhere((schema) => Array.isArray(schema.type) || words.some((word) => word in schema));
      assert.deepEqual(used, []);
    });

    test('patterns use only syntax that all regular expression engines share', () => {
      const special = /\(\?(?!:)|\\[^xdws.*+?^$(){}[\]|\\/-]/;
      assert.deepEqual(
        placesWhere((schema) => special.test(String(schema.pattern ?? ''))),
        [],
      );
    });

    test('a $ref has no sibling keywords', () => {
      const beside: string[] = [];
      const walk = (value: Json, where: string): void => {
        if (typeof value !== 'object' || value === null) return;
        if (!Array.isArray(value) && '$ref' in value && Object.keys(value).length > 1) beside.push(where);
        for (const [key, child] of Object.entries(value)) walk(child, `${where}/${key}`);
      };
      walk(document, '#');
      assert.deepEqual(beside, []);
    });

    test('enumerated values differ in more than case', () => {
      const folded = placesWhere((schema) => {
        const values = (Array.isArray(schema.enum) ? schema.enum : []).map((value) => String(value).toLowerCase());
        return new Set(values).size !== values.length;
      });
      assert.deepEqual(folded, []);
    });

    test('no boolean enumerates its value: ogen takes it for a string and refuses such a member of a union', () => {
      assert.deepEqual(
        placesWhere((schema) => schema.type === 'boolean' && 'enum' in schema),
        [],
      );
      assert.deepEqual(
        placesWhere((schema) => 'x-const' in schema && typeof schema['x-const'] !== schema.type),
        [],
      );
    });

    test('a response leaves room for fields and values of later versions', () => {
      assert.deepEqual(
        placesWhere((schema) => schema.additionalProperties === false),
        [],
      );
      const closed = everySchema.filter(({ schema }) => Array.isArray(schema.enum));
      assert.deepEqual(
        closed.filter(({ where }) => !where.startsWith('#/x-response-headers/')),
        [],
      );
    });

    test('the members of a union share only the fields that were added to both at once', () => {
      const fieldsOf = (name: string) => Object.keys(asObject(asObject(schemas[name], name).properties, name));
      const shared =
        service === 'box' ? fieldsOf('BrokenApp').filter((one) => fieldsOf('InstalledApp').includes(one)) : [];
      const state = ['available_version', 'state', 'state_detail', 'stopped_at', 'published', 'open_ports'];
      const from = ['name', 'ok', ...state, 'operation', 'public_urls', 'open_urls', 'backup_problem'];
      assert.deepEqual(shared, service === 'box' ? from : []);
    });

    const ofResponses = Object.entries(schemas)
      .filter(([name]) => !/Request$|^SettingsUpdate$/.test(name))
      .map(([name, value]) => ({ name, schema: asObject(value, name) }));

    test('every object of a response is closed for boxgate, or says that it is open', () => {
      const open = ofResponses.filter(
        ({ schema }) => schema.type === 'object' && schema['x-closed'] !== true && !schema.additionalProperties,
      );
      assert.deepEqual(open, []);
    });

    test("a field of a response is required, or boxgate's own, or part of the self-update state", () => {
      const isOwn = (value: Json) => resolve(document, value, 'a property')['x-boxgate'] === true;
      const others = ofResponses.flatMap(({ name, schema }) => {
        const required = asArray(schema.required ?? [], name);
        const always = asArray(schema['x-boxgate-required'] ?? [], name);
        const fields = Object.entries(asObject(schema.properties ?? {}, name));
        return fields
          .filter(([field, value]) => {
            if (required.includes(field)) return isOwn(value) || always.includes(field);
            return !(isOwn(value) || schema['x-boxgate'] === true || schema.additionalProperties === true);
          })
          .map(([field]) => `${name}.${field}`);
      });
      assert.deepEqual(others, []);
    });

    test('no constraint makes a client that validates drop a response', () => {
      const words = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'];
      const constrained = ofResponses.flatMap(({ name, schema }) =>
        [...schemasIn(schema, name)].filter(
          ({ schema }) =>
            words.some((word) => word in schema) ||
            !['double', 'int64', 'date-time', undefined].includes(schema.format as string),
        ),
      );
      assert.deepEqual(constrained, []);
    });

    test('no header of a response is required, and none restricts its values', () => {
      const headers = Object.entries(asObject(asObject(document.components, 'components').headers, 'headers'));
      for (const [name, value] of headers) {
        const { required, schema } = asObject(value, name);
        assert.equal(required, undefined, name);
        const { type, 'x-extensible-enum': _, ...more } = asObject(schema, name);
        assert.deepEqual({ type, more }, { type: 'string', more: {} }, name);
      }
    });

    test('no default is an object', () => {
      assert.deepEqual(
        placesWhere((schema) => typeof schema.default === 'object' && schema.default !== null),
        [],
      );
    });

    test('HTML responses are binary strings', () => {
      for (const { operationId, responses } of operations) {
        const html = asObject(responses.get('200')?.content ?? {}, operationId)['text/html'];
        if (html === undefined) continue;
        assert.deepEqual(asObject(html, operationId).schema, { type: 'string', format: 'binary' });
      }
    });

    test('every component is used', () => {
      const text = JSON.stringify(document);
      const unused = Object.entries(asObject(document.components, 'components')).flatMap(([kind, members]) =>
        Object.keys(asObject(members, kind))
          .filter(
            (name) => !text.includes(kind === 'securitySchemes' ? `{"${name}":[]}` : `"#/components/${kind}/${name}"`),
          )
          .map((name) => `${kind}/${name}`),
      );
      assert.deepEqual(unused, []);
    });

    test('every constraint of a request names its refusal', () => {
      // constraintRefusals throws for a property without one.
      assert.doesNotThrow(() => operations.map(constraintRefusals));
    });
  });
}
