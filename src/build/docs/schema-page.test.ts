import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propertiesOf, schemaPage, typeOf } from './schema-page.ts';

const settings = {
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern: '^\\d<$' } } },
};

test('properties of nested objects have a path', () => {
  const schema = { required: ['a'], properties: { a: { properties: { b: {} } }, settings } };
  assert.deepEqual(
    propertiesOf(schema).map(({ path, isRequired }) => [path, isRequired]),
    [
      ['a', true],
      ['a.b', false],
      ['settings', false],
      ['settings[].name', true],
    ],
  );
});

for (const [schema, text] of [
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ $ref: '#/definitions/level' }, '<a href="#level">level</a>'],
  [{ type: 'array', items: { $ref: '#/definitions/level' } }, 'array of <a href="#level">level</a>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of string'],
  [{ type: 'object', additionalProperties: false }, 'object'],
  [{ oneOf: [{ type: 'null' }, { type: 'integer' }] }, 'null or integer'],
  [{ enum: ['<a>', 1] }, '<code>&quot;&lt;a&gt;&quot;</code> or <code>1</code>'],
  [{}, 'any'],
] as const) {
  test(`the type of ${JSON.stringify(schema)}`, () =>
    assert.equal(typeOf(structuredClone(schema) as never).text, text));
}

test('a page has a table of the properties and one for each definition', () => {
  const page = schemaPage(
    {
      title: 'T',
      additionalProperties: false,
      properties: { settings },
      definitions: { level: { enum: ['must'] }, one: { properties: { b: { description: 'A `b`.', default: null } } } },
    },
    't.json',
  ).text;
  assert.match(page, /<code>settings\[\]\.name<\/code> <small>required<\/small>/);
  assert.match(page, /pattern <code>\^\\d&lt;\$<\/code>/);
  assert.match(page, /It has no other properties/);
  assert.match(page, /<h2 id="level">level<\/h2>\n<p><code>&quot;must&quot;<\/code><\/p>/);
  assert.match(page, /A <code>b<\/code>\. <span class="keyword">default <code>null<\/code>/);
});
