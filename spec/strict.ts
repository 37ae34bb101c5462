/**
 * The OpenAPI documents as boxgate's own code and suite read them. Clients get the plain documents, which leave room for
 * later versions and for proxies.
 */
import { asArray, asObject, type Json, type JsonObject } from './document.ts';

/**
 * A copy of the document with its extensions as keywords: `x-closed` becomes `additionalProperties: false`,
 * `x-extensible-enum` and `x-const` become `enum`, `x-boxgate-required` is required too, and every response requires its
 * own headers and those of `x-response-headers`.
 */
export function strictDocument(document: JsonObject): JsonObject {
  const { 'x-response-headers': common, ...rest } = asObject(strict(document), 'the document');
  const always = asObject(common ?? {}, 'x-response-headers');
  const withHeaders = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(withHeaders);
    const entries = Object.entries(value).map(([key, child]) => [key, withHeaders(child)]);
    return isResponse(value) ? withCommonHeaders(Object.fromEntries(entries)) : Object.fromEntries(entries);
  };
  const withCommonHeaders = (response: JsonObject): JsonObject => ({
    ...response,
    headers: required({ ...always, ...asObject(response.headers ?? {}, 'headers') }),
  });
  const components = asObject(rest.components ?? {}, 'components');
  const headers = required(asObject(components.headers ?? {}, 'headers'));
  return asObject(withHeaders({ ...rest, components: { ...components, headers } }), 'the document');
}

/** A copy of the document in which every value that is boxgate's own (`x-boxgate`) may have any form. */
export function openDocument(document: JsonObject): JsonObject {
  const open = (_: string, value: Json) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value['x-boxgate'] !== true)
      return value;
    return value.type === 'object' ? { type: 'object' } : {};
  };
  return JSON.parse(JSON.stringify(document, open));
}

function strict(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(strict);
  const {
    'x-closed': closed,
    'x-extensible-enum': values,
    'x-const': only,
    'x-boxgate': _,
    'x-boxgate-required': own,
    ...rest
  } = value;
  const copy: JsonObject = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, strict(child)]));
  if (closed === true) copy.additionalProperties = false;
  if (values !== undefined) copy.enum = values;
  if (only !== undefined) copy.enum = [only];
  if (own !== undefined) copy.required = [...asArray(rest.required ?? [], 'required'), ...asArray(own, 'required')];
  return copy;
}

/** Only responses have both a description and content. A request body has a key `required`. */
function isResponse(value: JsonObject): boolean {
  return typeof value.description === 'string' && 'content' in value && !('required' in value);
}

function required(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      const own = asObject(header, name);
      return [name, '$ref' in own ? own : { ...own, required: true }];
    }),
  );
}
