import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { breakingChanges, isChanged, unreleasedNotes } from './breaking-changes.ts';
import { asObject, type JsonObject, readDocument } from './document.ts';

const file = (name: string) => new URL(name, import.meta.url);

for (const service of ['box', 'gateway'] as const) {
  describe(`${service}: the document, compared with that of the last release`, () => {
    const released = JSON.parse(readFileSync(file(`released/${service}.openapi.json`), 'utf8'));
    const current = readDocument(service);

    test('breaks no client', () => {
      assert.deepEqual(breakingChanges(released, current), []);
    });

    test('differs only if spec/API-CHANGELOG.md says so below [Unreleased]', () => {
      const changelog = file('API-CHANGELOG.md');
      const notes = existsSync(changelog) ? unreleasedNotes(readFileSync(changelog, 'utf8')) : '';
      assert.ok(notes !== '' || !isChanged(released, current), 'write a note for authors of clients');
    });
  });
}

/** A document with one of everything that the comparison looks at. */
const small = (): JsonObject => ({
  info: { version: '1.0.0' },
  'x-response-headers': { Server: { schema: { type: 'string' } } },
  'x-error-headers': { Name: { schema: { type: 'string' } } },
  paths: {
    '/apps': {
      post: {
        operationId: 'addApp',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  settings: { type: 'object', 'x-null-is-absent': true },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'The apps.',
            headers: { Allow: { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/App' } } },
            },
          },
          '409': { $ref: '#/components/responses/Conflict' },
        },
      },
    },
  },
  components: {
    responses: {
      Conflict: {
        description: 'There is one.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: { appExists: { value: { error: 'exists' } } },
          },
        },
      },
    },
    schemas: {
      Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
      App: { oneOf: [{ $ref: '#/components/schemas/Running' }, { $ref: '#/components/schemas/Broken' }] },
      Running: {
        type: 'object',
        required: ['state'],
        properties: {
          state: { type: 'string', 'x-extensible-enum': ['running', 'stopped'] },
          description: { type: 'string' },
          bytes: { type: 'integer', format: 'int64' },
        },
      },
      Broken: { type: 'object', properties: { ok: { type: 'boolean', 'x-const': false } } },
    },
  },
  'x-otherwise': {
    '404': {
      description: 'No such path.',
      content: { 'application/json': { examples: { notFound: { value: { error: 'not found' } } } } },
    },
  },
});

/** Replaces the value at a path of keys; `undefined` removes it. */
function changed(path: readonly string[], value: unknown): JsonObject {
  const document = small();
  const last = path.at(-1) ?? assert.fail();
  let place = document;
  for (const key of path.slice(0, -1)) place = asObject(place[key], key);
  // JSON has no undefined, so the key goes.
  return JSON.parse(JSON.stringify(document, (_, one) => (one === place ? { ...place, [last]: value } : one)));
}

const operation = ['paths', '/apps', 'post'];
const request = [...operation, 'requestBody', 'content', 'application/json', 'schema'];
const json = [...operation, 'responses', '200', 'content', 'application/json'];
const conflict = ['components', 'responses', 'Conflict', 'content', 'application/json'];
const running = ['components', 'schemas', 'Running'];

const breaks: Readonly<Record<string, [path: string[], value: unknown, line: string]>> = {
  'an operation is removed': [operation, undefined, 'POST /apps: removed'],
  'an operation is renamed': [[...operation, 'operationId'], 'createApp', 'POST /apps: operationId is createApp'],
  'a status is removed': [[...operation, 'responses', '409'], undefined, 'addApp 409: removed'],
  'a content type is replaced': [
    [...operation, 'responses', '200', 'content'],
    { 'text/plain': {} },
    'addApp 200 content.application/json: removed',
  ],
  'a header is removed': [
    [...operation, 'responses', '200', 'headers'],
    undefined,
    'addApp 200 headers.Allow: removed',
  ],
  'a header of all errors is removed': [['x-error-headers'], {}, 'x-error-headers.Name: removed'],
  'a header of all responses is removed': [['x-response-headers'], {}, 'x-response-headers.Server: removed'],
  'a refusal is renamed': [
    [...conflict, 'examples'],
    { appTaken: { value: { error: 'exists' } } },
    'addApp 409 refusals.appExists: removed',
  ],
  'a refusal of unknown paths is removed': [
    ['x-otherwise', '404', 'content', 'application/json', 'examples'],
    undefined,
    'x-otherwise 404 refusals.notFound: removed',
  ],
  'a value is removed': [
    [...running, 'properties', 'state', 'x-extensible-enum'],
    ['running'],
    'addApp 200[]|0.state: the value stopped was removed',
  ],
  'an optional field of a response is removed': [
    [...running, 'properties', 'bytes'],
    undefined,
    'addApp 200[]|0.bytes: removed',
  ],
  'a required field of a response is removed': [
    [...running, 'properties', 'state'],
    undefined,
    'addApp 200[]|0.state: removed',
  ],
  'a field of an error is removed': [
    ['components', 'schemas', 'Error', 'properties', 'error'],
    undefined,
    'addApp 409.error: removed',
  ],
  'a field of a response has another type': [
    [...running, 'properties', 'description', 'type'],
    'integer',
    'addApp 200[]|0.description: type "string" became "integer"',
  ],
  'a field of a response has another format': [
    [...running, 'properties', 'bytes', 'format'],
    undefined,
    'addApp 200[]|0.bytes: format "int64" became none',
  ],
  'a response has another type': [[...json, 'schema'], { type: 'object' }, 'addApp 200: type "array" became "object"'],
  'a field of a response becomes optional': [
    [...running, 'required'],
    undefined,
    'addApp 200[]|0.state: is no longer required',
  ],
  'a field of a response becomes nullable': [
    [...running, 'properties', 'state', 'nullable'],
    true,
    'addApp 200[]|0.state: can be null',
  ],
  'a constant changes': [
    ['components', 'schemas', 'Broken', 'properties', 'ok', 'x-const'],
    true,
    'addApp 200[]|1.ok: x-const false became true',
  ],
  'a union gets an alternative': [
    ['components', 'schemas', 'App', 'oneOf'],
    ['Running', 'Broken', 'Error'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    'addApp 200[]: another number of alternatives',
  ],
  'a field of a request becomes required': [
    [...request, 'required'],
    ['name', 'settings'],
    'addApp request.settings: is required',
  ],
  'a new field of a request is required': [
    [...request, 'required'],
    ['name', 'colour'],
    'addApp request.colour: is required',
  ],
  'a field of a request is removed': [
    [...request, 'properties', 'settings'],
    undefined,
    'addApp request.settings: removed',
  ],
  'a field of a request refuses null': [
    [...request, 'properties', 'settings'],
    { type: 'object' },
    'addApp request.settings: cannot be null',
  ],
};

describe('a change that breaks clients is reported', () => {
  for (const [title, [path, value, line]] of Object.entries(breaks)) {
    test(title, () => {
      assert.deepEqual(breakingChanges(small(), changed(path, value)), [line]);
    });
  }
});

const compatible: Readonly<Record<string, [path: string[], value: unknown]>> = {
  'a new operation': [['paths', '/new'], { get: { operationId: 'getNew', responses: {} } }],
  'a new status': [[...operation, 'responses', '404'], { $ref: '#/components/responses/Conflict' }],
  'a new header': [[...operation, 'responses', '200', 'headers', 'Age'], { schema: { type: 'string' } }],
  'a new refusal': [[...conflict, 'examples', 'appGone'], { value: { error: 'gone' } }],
  'a new value': [
    [...running, 'properties', 'state', 'x-extensible-enum'],
    ['running', 'stopped', 'paused'],
  ],
  'a value of any text': [[...running, 'properties', 'state', 'x-extensible-enum'], undefined],
  'a new field of a response': [[...running, 'properties', 'colour'], { type: 'string' }],
  'a new optional field of a request': [[...request, 'properties', 'colour'], { type: 'string' }],
  'a field of a request that becomes optional': [[...request, 'required'], undefined],
  'a field of a request that becomes nullable': [[...request, 'properties', 'name', 'nullable'], true],
  'a field of a response that becomes required': [
    [...running, 'required'],
    ['state', 'bytes'],
  ],
};

describe('a change that the compatibility rule allows is not reported, but needs a note', () => {
  for (const [title, [path, value]] of Object.entries(compatible)) {
    test(title, () => {
      assert.deepEqual(breakingChanges(small(), changed(path, value)), []);
      const isRefusal = title === 'a new refusal';
      assert.equal(isChanged(small(), changed(path, value)), !isRefusal);
    });
  }
});

describe('a difference that needs no note', () => {
  const texts: Readonly<Record<string, [path: string[], value: unknown]>> = {
    'the version': [['info', 'version'], '1.1.0'],
    'a description': [[...running, 'description'], 'An app that runs.'],
    'an example': [[...running, 'properties', 'bytes', 'example'], 5],
  };
  for (const [title, [path, value]] of Object.entries(texts)) {
    test(title, () => assert.equal(isChanged(small(), changed(path, value)), false));
  }
});

test('a field that is called description is no text', () => {
  assert.equal(isChanged(small(), changed([...running, 'properties', 'description'], undefined)), true);
});

test('the order of keys is no difference', () => {
  const reversed = Object.fromEntries(Object.entries(small()).reverse());
  assert.equal(isChanged(small(), reversed), false);
});

test('notes are what stands between [Unreleased] and the next version', () => {
  assert.equal(unreleasedNotes('# API\n\n## [Unreleased]\n\n- A note.\n\n## [1.0.0]\n\n- Old.\n'), '- A note.');
  assert.equal(unreleasedNotes('# API\n\n## [Unreleased]\n\n## [1.0.0]\n\n- Old.\n'), '');
  assert.equal(unreleasedNotes('# API\n'), '');
});
