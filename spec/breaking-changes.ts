/**
 * Compares a document with that of the last release: changes that break clients, in the terms of the compatibility
 * rule in the documents' description. oasdiff checks the same documents, but reports none of the changes that the
 * tests of this file name.
 */
import { asArray, asObject, type Json, type JsonObject, type Operation, operationsOf, resolve } from './document.ts';

type Direction = 'request' | 'response';
type Side = { readonly document: JsonObject; readonly value: Json };
type Body = Pick<Operation, 'operationId' | 'responses'>;

/** Each breaking change as one line: where it is, and what changed. Empty if there is none. */
export function breakingChanges(released: JsonObject, current: JsonObject): string[] {
  const now = new Map(operationsOf(current).map((one) => [`${one.method} ${one.path}`, one]));
  const ofOperations = operationsOf(released).flatMap((before) => {
    const name = `${before.method} ${before.path}`;
    const after = now.get(name);
    if (after === undefined) return [`${name}: removed`];
    const renamed = before.operationId === after.operationId ? [] : [`${name}: operationId is ${after.operationId}`];
    return [
      ...renamed,
      ...ofRequests(released, current, before, after),
      ...ofResponses(released, current, before, after),
    ];
  });
  const headers = removedKeys(released['x-response-headers'], current['x-response-headers'], 'x-response-headers');
  return [...ofOperations, ...headers, ...ofResponses(released, current, otherwise(released), otherwise(current))];
}

/** The responses to requests that no operation matches. */
function otherwise(document: JsonObject): Body {
  const responses = Object.entries(asObject(document['x-otherwise'] ?? {}, 'x-otherwise'));
  return {
    operationId: 'x-otherwise',
    responses: new Map(responses.map(([status, value]) => [status, resolve(document, value, status)])),
  };
}

function ofRequests(released: JsonObject, current: JsonObject, before: Operation, after: Operation): string[] {
  const where = `${before.operationId} request`;
  // oasdiff reports a body that was added or removed.
  if (before.bodySchema === null || after.bodySchema === null) return [];
  const [old, now] = [before.bodySchema, after.bodySchema];
  return ofSchemas({ document: released, value: old }, { document: current, value: now }, where, 'request');
}

function ofResponses(released: JsonObject, current: JsonObject, before: Body, after: Body): string[] {
  return [...before.responses].flatMap(([status, old]) => {
    const where = `${before.operationId} ${status}`;
    const now = after.responses.get(status);
    if (now === undefined) return [`${where}: removed`];
    const [oldContent, content] = [asObject(old.content, where), asObject(now.content, where)];
    const media = Object.keys(oldContent).filter((type) => type in content);
    return [
      ...removedKeys(old.headers, now.headers, `${where} headers`),
      ...removedKeys(oldContent, content, `${where} content`),
      ...media.flatMap((type) => {
        const [oldMedia, newMedia] = [asObject(oldContent[type], where), asObject(content[type], where)];
        const schemas = [oldMedia, newMedia].map(({ schema = {} }) => schema);
        const [oldSchema = {}, newSchema = {}] = schemas;
        const [one, other] = [
          { document: released, value: oldSchema },
          { document: current, value: newSchema },
        ];
        // The name of an error's example is the refusal's; that of a success means nothing.
        const refusals =
          Number(status) < 400 ? [] : removedKeys(oldMedia.examples, newMedia.examples, `${where} refusals`);
        return [...refusals, ...ofSchemas(one, other, where, 'response')];
      }),
    ];
  });
}

/** The schemas of the documents are not recursive, so this ends. */
function ofSchemas(before: Side, after: Side, where: string, direction: Direction): string[] {
  const [old, now] = [before, after].map(({ document, value }) => resolve(document, value, where));
  if (old === undefined || now === undefined) return [];
  const inside = (key: string, oldValue: Json | undefined, value: Json | undefined) =>
    ofSchemas({ ...before, value: oldValue ?? {} }, { ...after, value: value ?? {} }, `${where}${key}`, direction);
  const [oldFields, fields] = [old, now].map(({ properties }) => asObject(properties ?? {}, where));
  const kept = Object.keys(oldFields ?? {}).filter((name) => name in (fields ?? {}));
  const members = membersOf(old);
  return [
    ...ofKeywords(old, now, where),
    ...ofNull(old, now, where, direction),
    ...ofRequired(old, now, where, direction),
    ...removedKeys(oldFields, fields, where),
    ...kept.flatMap((name) => inside(`.${name}`, oldFields?.[name], fields?.[name])),
    ...('items' in old && 'items' in now ? inside('[]', old.items, now.items) : []),
    ...(members.length === membersOf(now).length
      ? members.flatMap((member, index) => inside(`|${index}`, member, membersOf(now)[index]))
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
  const [was, is] = [old, now].map(({ required = [] }) => asArray(required, where));
  const [before = [], after = []] = direction === 'response' ? [was, is] : [is, was];
  const change = direction === 'response' ? 'is no longer required' : 'is required';
  // A removed field is reported as such.
  const known = direction === 'response' ? Object.keys(asObject(now.properties ?? {}, where)) : null;
  return before
    .filter((name) => !after.includes(name) && (known === null || known.includes(String(name))))
    .map((name) => `${where}.${name}: ${change}`);
}

function removedKeys(old: Json | undefined, now: Json | undefined, where: string): string[] {
  const kept = asObject(now ?? {}, where);
  return Object.keys(asObject(old ?? {}, where))
    .filter((key) => !(key in kept))
    .map((key) => `${where}.${key}: removed`);
}

/** Whether the documents differ in more than `info`, descriptions and examples. */
export function isChanged(released: JsonObject, current: JsonObject): boolean {
  const [before, after] = [released, current].map(({ info: _, ...rest }) => JSON.stringify(withoutTexts(rest)));
  return before !== after;
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

/** The notes below `## [Unreleased]` of a changelog; empty if there are none. */
export function unreleasedNotes(changelog: string): string {
  const [, after = ''] = changelog.split(/^## \[Unreleased\]$/m);
  return (after.split(/^## /m)[0] ?? '').trim();
}
