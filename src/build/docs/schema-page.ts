import { html, type Markup } from '../../../conformance/report/markup.ts';
import { asArray, asObject, type Json, type JsonObject } from '../../../spec/document.ts';
import { sentence } from './markdown.ts';

export type Property = {
  /** The path from the object of the table: `settings[].name`. */
  readonly path: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
};

/** The properties of an object, and of the objects inside it that are not definitions of their own. */
export function propertiesOf(schema: JsonObject, prefix = ''): Property[] {
  const required = asArray(schema.required ?? [], prefix);
  const own = Object.entries(asObject(schema.properties ?? {}, prefix));
  const nested = schema.items === undefined ? [] : propertiesOf(asObject(schema.items, prefix), `${prefix}[]`);
  return [
    ...own.flatMap(([name, value]) => {
      const [path, property] = [prefix === '' ? name : `${prefix}.${name}`, asObject(value, name)];
      return [{ path, schema: property, isRequired: required.includes(name) }, ...propertiesOf(property, path)];
    }),
    ...nested,
  ];
}

/** A page of a JSON Schema: a table of its properties, and one for each definition. */
export function schemaPage(schema: JsonObject, file: string): Markup {
  const definitions = Object.entries(asObject(schema.definitions ?? {}, file));
  return html`<h1>${String(schema.title)}</h1>
${description(schema)}
<p>The JSON Schema itself: <a href="${file}">${file}</a>.</p>
${propertyTable(schema, String(schema.title))}
${definitions.map(([name, definition]) => definitionSection(name, asObject(definition, name)))}`;
}

const definitionSection = (name: string, definition: JsonObject): Markup => html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
${description(definition)}${propertyTable(definition, name)}</section>
`;

const description = (schema: JsonObject): Markup | null =>
  schema.description === undefined ? null : html`<p>${sentence(String(schema.description))}</p>\n`;

function propertyTable(schema: JsonObject, name: string): Markup {
  const properties = propertiesOf(schema);
  if (properties.length === 0) return html`<p>${typeOf(schema)}</p>`;
  const others = schema.additionalProperties === false ? html`<p>It has no other properties.</p>\n` : null;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Properties of ${name}"><table class="properties">
<thead><tr><th scope="col">property</th><th scope="col">type</th><th scope="col">description</th></tr></thead>
<tbody>
${properties.map(
  (
    property,
  ) => html`<tr><th scope="row"><code>${property.path}</code>${property.isRequired ? html` <small>required</small>` : null}</th><td>${typeOf(property.schema)}</td><td>${details(property.schema)}</td></tr>
`,
)}</tbody>
</table></div>
${others}`;
}

/** The type in words. A definition is a link to its section. */
export function typeOf(schema: JsonObject): Markup {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/definitions/', '');
    return html`<a href="#${name}">${name}</a>`;
  }
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) {
    return joined(
      asArray(alternatives, 'oneOf').map((one) => typeOf(asObject(one, 'oneOf'))),
      ' or ',
    );
  }
  if (schema.enum !== undefined) return joined(asArray(schema.enum, 'enum').map(literal), ' or ');
  const types = [schema.type ?? 'any'].flat().map(String);
  return joined(
    types.map((type) => html`${type}${contentType(type, schema)}`),
    ' or ',
  );
}

/** The type of the items of an array, or of the values of an object whose keys are free. */
function contentType(type: string, { items, additionalProperties }: JsonObject): Markup | null {
  const content = type === 'array' ? items : type === 'object' ? additionalProperties : undefined;
  return typeof content === 'object' && content !== null ? html` of ${typeOf(asObject(content, type))}` : null;
}

const literal = (value: Json): Markup => html`<code>${JSON.stringify(value)}</code>`;

const joined = (parts: readonly Markup[], between: string): Markup =>
  html`${parts.map((part, index) => [index === 0 ? null : between, part])}`;

/** Keywords that are shown as they are. */
const keywords = ['default', 'const', 'pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems'];

function details(schema: JsonObject): Markup {
  const shown = keywords.filter((keyword) => schema[keyword] !== undefined);
  return html`${schema.description === undefined ? null : sentence(String(schema.description))}${shown.map(
    (keyword) =>
      html` <span class="keyword">${keyword} ${keyword === 'pattern' ? html`<code>${String(schema.pattern)}</code>` : literal(schema[keyword] ?? null)}</span>`,
  )}`;
}
