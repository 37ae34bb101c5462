/**
 * Compares a document with that of the last release: changes that break clients, in the terms of the compatibility
 * rule in the documents' description. oasdiff checks the same documents, but reports none of the changes that the
 * tests of this file name.
 */
import { asArray, asObject, type Json, type JsonObject, type Operation, operationsOf, resolve } from './document.ts';

type Direction = 'request' | 'response';
type Pair<T> = { readonly old: T; readonly now: T };
type WithResponses = Pick<Operation, 'operationId' | 'responses'>;

/** Lists the breaking changes, one line each: where it is, and what changed. */
export function breakingChanges(old: JsonObject, now: JsonObject): string[] {
  const documents = { old, now };
  const current = new Map(operationsOf(now).map((one) => [`${one.method} ${one.path}`, one]));
  return [
    ...['x-response-headers', 'x-error-headers'].flatMap((key) => removedKeys(old[key], now[key], key)),
    ...operationsOf(old).flatMap((before) => {
      const name = `${before.method} ${before.path}`;
      const after = current.get(name);
      return after === undefined ? [`${name}: removed`] : ofOperations(documents, { old: before, now: after }, name);
    }),
    ...ofResponses(documents, { old: otherwise(old), now: otherwise(now) }),
  ];
}

function ofOperations(documents: Pair<JsonObject>, { old, now }: Pair<Operation>, name: string): string[] {
  const request = `${old.operationId} request`;
  return [
    ...(old.operationId === now.operationId ? [] : [`${name}: operationId is ${now.operationId}`]),
    // oasdiff reports a body that was added or removed.
    ...(old.bodySchema === null || now.bodySchema === null
      ? []
      : ofSchemas(documents, { old: old.bodySchema, now: now.bodySchema }, request, 'request')),
    ...ofResponses(documents, { old, now }),
  ];
}

/** The responses to requests that no operation matches. */
function otherwise(document: JsonObject): WithResponses {
  const responses = Object.entries(asObject(document['x-otherwise'] ?? {}, 'x-otherwise'));
  return {
    operationId: 'x-otherwise',
    responses: new Map(responses.map(([status, value]) => [status, resolve(document, value, status)])),
  };
}

function ofResponses(documents: Pair<JsonObject>, { old, now }: Pair<WithResponses>): string[] {
  return [...old.responses].flatMap(([status, before]) => {
    const where = `${old.operationId} ${status}`;
    const after = now.responses.get(status);
    if (after === undefined) return [`${where}: removed`];
    const content = { old: asObject(before.content, where), now: asObject(after.content, where) };
    const kept = Object.keys(content.old).filter((type) => type in content.now);
    return [
      ...removedKeys(before.headers, after.headers, `${where} headers`),
      ...removedKeys(content.old, content.now, `${where} content`),
      ...kept.flatMap((type) => {
        const media = { old: asObject(content.old[type], where), now: asObject(content.now[type], where) };
        const schemas = { old: media.old.schema ?? {}, now: media.now.schema ?? {} };
        // The name of an error's example is the refusal's; that of a success means nothing.
        const refusals =
          Number(status) < 400 ? [] : removedKeys(media.old.examples, media.now.examples, `${where} refusals`);
        return [...refusals, ...ofSchemas(documents, schemas, where, 'response')];
      }),
    ];
  });
}

/** The schemas of the documents are not recursive, so this ends. */
function ofSchemas(documents: Pair<JsonObject>, values: Pair<Json>, where: string, direction: Direction): string[] {
  const old = resolve(documents.old, values.old, where);
  const now = resolve(documents.now, values.now, where);
  const inside = (key: string, before: Json | undefined, after: Json | undefined) =>
    ofSchemas(documents, { old: before ?? {}, now: after ?? {} }, `${where}${key}`, direction);
  const fields = { old: asObject(old.properties ?? {}, where), now: asObject(now.properties ?? {}, where) };
  const kept = Object.keys(fields.old).filter((name) => name in fields.now);
  const members = { old: membersOf(old), now: membersOf(now) };
  return [
    ...ofKeywords(old, now, where),
    ...ofNull(old, now, where, direction),
    ...ofRequired(old, now, where, direction),
    ...removedKeys(fields.old, fields.now, where),
    ...kept.flatMap((name) => inside(`.${name}`, fields.old[name], fields.now[name])),
    ...('items' in old && 'items' in now ? inside('[]', old.items, now.items) : []),
    ...(members.old.length === members.now.length
      ? members.old.flatMap((member, index) => inside(`|${index}`, member, members.now[index]))
      : [`${where}: another number of alternatives`]),
  ];
}

function membersOf(schema: JsonObject): Json[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((key) => asArray(schema[key] ?? [], key));
}

function ofKeywords(old: JsonObject, now: JsonObject, where: string): string[] {
  const changed = ['type', 'format', 'x-const'].filter((key) => old[key] !== now[key]);
  const values = asArray(now['x-extensible-enum'] ?? [], where);
  // Without a list, every value is possible, so none was removed.
  const removed =
    values.length === 0
      ? []
      : asArray(old['x-extensible-enum'] ?? [], where).filter((value) => !values.includes(value));
  return [
    ...changed.map((key) => `${where}: ${key} ${text(old[key])} became ${text(now[key])}`),
    ...removed.map((value) => `${where}: the value ${value} was removed`),
  ];
}

const text = (value: Json | undefined): string => (value === undefined ? 'none' : JSON.stringify(value));

/** A client may not expect null in a response, and may send it in a request. */
function ofNull(old: JsonObject, now: JsonObject, where: string, direction: Direction): string[] {
  const [was, is] = [old, now].map((schema) => schema.nullable === true || schema['x-null-is-absent'] === true);
  if (direction === 'response') return is && !was ? [`${where}: can be null`] : [];
  return was && !is ? [`${where}: cannot be null`] : [];
}

/** A client relies on a required field of a response, and does not send a field that a request did not require. */
function ofRequired(old: JsonObject, now: JsonObject, where: string, direction: Direction): string[] {
  const was = asArray(old.required ?? [], where).map(String);
  const is = asArray(now.required ?? [], where).map(String);
  if (direction === 'request') {
    return is.filter((name) => !was.includes(name)).map((name) => `${where}.${name}: is required`);
  }
  // A removed field is reported as such.
  const fields = asObject(now.properties ?? {}, where);
  const optional = was.filter((name) => !is.includes(name) && name in fields);
  return optional.map((name) => `${where}.${name}: is no longer required`);
}

function removedKeys(old: Json | undefined, now: Json | undefined, where: string): string[] {
  const kept = asObject(now ?? {}, where);
  return Object.keys(asObject(old ?? {}, where))
    .filter((key) => !(key in kept))
    .map((key) => `${where}.${key}: removed`);
}

/** Whether the documents differ in more than `info`, descriptions and examples. */
export function isChanged(released: JsonObject, current: JsonObject): boolean {
  const comparable = ({ info: _, ...rest }: JsonObject) => JSON.stringify(withoutTexts(rest));
  return comparable(released) !== comparable(current);
}

const textKeys = ['description', 'summary', 'example', 'examples'];

/** `areNames`: the keys are names of fields, such as a field called `description`. */
function withoutTexts(value: Json, areNames = false): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one));
  const entries = Object.entries(value).filter(([key]) => areNames || !textKeys.includes(key));
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, withoutTexts(child, key === 'properties')]),
  );
}

/** Returns the notes below `## [Unreleased]` of a changelog, or an empty text. */
export function unreleasedNotes(changelog: string): string {
  const [, after = ''] = changelog.split(/^## \[Unreleased\]$/m);
  return (after.split(/^## /m)[0] ?? '').trim();
}
