/**
 * An OpenAPI document of this folder, read and cut into what generated code and tests need of it:
 * its operations with their request schemas, and its fixed error texts. `$ref` is followed inside the document only.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type PathParameter = {
  readonly name: string;
  readonly schema: Json;
  /** Null where the constraint decides whether the path is this operation's at all. */
  readonly refusal: string | null;
};

export type Operation = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  /** The request body's schema, `$ref`s of the schema itself followed; null where the operation takes none. */
  readonly bodySchema: JsonObject | null;
  /** Status to response, `$ref`s followed. */
  readonly responses: ReadonlyMap<string, JsonObject>;
  /** Its own refusals in the order in which they are looked for, where the document lists them. */
  readonly refusals: readonly string[];
  /** Whether it asks for a bearer token. */
  readonly needsToken: boolean;
};

export type NamedExample = {
  readonly refusal: string;
  readonly status: number;
  readonly text: string;
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function readDocument(file: URL): JsonObject {
  return asObject(parse(readFileSync(file, 'utf8')), file.pathname);
}

export function asObject(value: Json | undefined, where: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${where}: expected an object`);
  }
  return value;
}

function asString(value: Json | undefined, where: string): string {
  if (typeof value !== 'string') throw new Error(`${where}: expected a string`);
  return value;
}

export function stringOrNull(value: Json | undefined, where: string): string | null {
  return value === undefined ? null : asString(value, where);
}

export function asArray(value: Json | undefined, where: string): Json[] {
  if (!Array.isArray(value)) throw new Error(`${where}: expected an array`);
  return value;
}

/** The object at hand, or the one that its `$ref` points at. */
export function resolve(document: JsonObject, value: Json | undefined, where: string): JsonObject {
  const object = asObject(value, where);
  if (object.$ref === undefined) return object;
  const pointer = asString(object.$ref, where);
  if (!pointer.startsWith('#/')) throw new Error(`${where}: ${pointer} leaves the document`);
  let target: Json | undefined = document;
  for (const key of pointer.slice(2).split('/')) {
    target = asObject(target, pointer)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return resolve(document, target, pointer);
}

/** Every operation, in the document's order. */
export function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(asObject(document.paths, 'paths')).flatMap(([path, value]) => {
    const item = asObject(value, path);
    return methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readOperation(document, path, method, item));
  });
}

function readOperation(document: JsonObject, path: string, method: string, item: JsonObject): Operation {
  const where = `${method.toUpperCase()} ${path}`;
  const operation = asObject(item[method], where);
  const parameters = [item.parameters ?? [], operation.parameters ?? []].flatMap((list) =>
    asArray(list, where),
  );
  return {
    operationId: asString(operation.operationId, where),
    method: method.toUpperCase(),
    path,
    pathParameters: parameters.map((parameter) => readPathParameter(document, parameter, where)),
    bodySchema: readBodySchema(document, operation.requestBody, where),
    responses: new Map(
      Object.entries(asObject(operation.responses, where)).map(([status, response]) => [
        status,
        resolve(document, response, `${where} ${status}`),
      ]),
    ),
    refusals: asArray(operation['x-refusals'] ?? [], where).map((name) => asString(name, where)),
    needsToken: asArray(operation.security ?? [], where).length > 0,
  };
}

function readPathParameter(document: JsonObject, value: Json, where: string): PathParameter {
  const parameter = resolve(document, value, where);
  if (parameter.in !== 'path') throw new Error(`${where}: only path parameters are known here`);
  return {
    name: asString(parameter.name, where),
    schema: parameter.schema ?? {},
    refusal: stringOrNull(parameter['x-refusal'], `${where}: x-refusal of a parameter`),
  };
}

function readBodySchema(document: JsonObject, value: Json | undefined, where: string): JsonObject | null {
  if (value === undefined) return null;
  const content = asObject(resolve(document, value, where).content, where);
  const media = asObject(content['application/json'], `${where}: application/json`);
  return resolve(document, media.schema, where);
}

/** Every fixed error text with the status that carries it: those of operations, and those of paths outside the table. */
export function namedExamples(document: JsonObject): NamedExample[] {
  const otherwise = Object.entries(asObject(document['x-otherwise'], 'x-otherwise'));
  const responses = [
    ...operationsOf(document).flatMap((operation) => [...operation.responses]),
    ...otherwise,
  ];
  const found = responses.flatMap(([status, response]) => examplesOf(document, status, response));
  return [...new Map(found.map((example) => [JSON.stringify(example), example])).values()];
}

function examplesOf(document: JsonObject, status: string, response: Json): NamedExample[] {
  const content = asObject(resolve(document, response, status).content, status);
  const media = content['application/json'];
  if (media === undefined) return [];
  const examples = asObject(asObject(media, status).examples ?? {}, status);
  return Object.entries(examples).map(([refusal, example]) => {
    const value = asObject(resolve(document, example, refusal).value, refusal);
    return { refusal, status: Number(status), text: asString(value.error, refusal) };
  });
}
