/**
 * Reads the OpenAPI documents of this folder for the generator, the conformance suite and tests: their operations with
 * the request schemas, and their fixed error texts. A `$ref` must not leave its document.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from './package-root.ts';
import type { Service } from './register.ts';

/** The OpenAPI documents by their names. That of the console binds nobody else, so it has no register. */
export type Documented = Service | 'console';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type PathParameter = {
  readonly name: string;
  readonly schema: Json;
  /** `null` if a path that breaks the constraint does not match the operation. */
  readonly refusal: string | null;
};

export type Operation = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  /** The schema of the request body, with the `$ref`s of its properties resolved; `null` if the operation has no body. */
  readonly bodySchema: JsonObject | null;
  /** Responses by documented status, without `default`, with their `$ref`s resolved. */
  readonly responses: ReadonlyMap<string, JsonObject>;
  /** The values of the examples of JSON bodies: of the request, and of all successful responses. */
  readonly examples: { readonly request: readonly Json[]; readonly success: readonly Json[] };
  /** The refusals of the operation in the order of their checks; empty if the document does not list them. */
  readonly refusals: readonly string[];
  /** Whether it requires a bearer token. */
  readonly needsToken: boolean;
};

export type NamedExample = {
  readonly refusal: string;
  readonly status: number;
  readonly text: string;
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Refuses YAML aliases: some client generators cannot read them. */
export function readDocument(service: Documented): JsonObject {
  const name = `${service}.openapi.yaml`;
  return asObject(parse(readFileSync(join(packageRoot, 'spec', name), 'utf8'), { maxAliasCount: 0 }), name);
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

/** Returns the object, or the target of its `$ref`. */
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

/** All operations, in the document's order. */
export function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(asObject(document.paths, 'paths')).flatMap(([path, value]) => {
    const item = asObject(value, path);
    return methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readOperation(document, path, method, item));
  });
}

export type FindOperation = (
  method: string,
  target: string,
) => { operation: Operation; params: Readonly<Record<string, string>> } | null;

/**
 * Makes a function that finds the operation of a request. `parameterForm` is the regular expression of a path
 * parameter. Paths with a parameter are tried first.
 */
export function operationFinder(operations: readonly Operation[], parameterForm: string): FindOperation {
  const rows = operations.map((operation) => ({
    operation,
    form: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, `(?<$1>${parameterForm})`)}$`),
  }));
  const ordered = [
    ...rows.filter(({ operation }) => operation.pathParameters.length > 0),
    ...rows.filter(({ operation }) => operation.pathParameters.length === 0),
  ];
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    const row = ordered.find(({ operation, form }) => operation.method === method && form.test(path));
    return row === undefined ? null : { operation: row.operation, params: row.form.exec(path)?.groups ?? {} };
  };
}

function readOperation(document: JsonObject, path: string, method: string, item: JsonObject): Operation {
  const where = `${method.toUpperCase()} ${path}`;
  const operation = asObject(item[method], where);
  const parameters = [item.parameters ?? [], operation.parameters ?? []].flatMap((list) => asArray(list, where));
  const responses = new Map(
    Object.entries(asObject(operation.responses, where))
      .filter(([status]) => status !== 'default')
      .map(([status, response]) => [status, resolve(document, response, `${where} ${status}`)]),
  );
  const successes = [...responses].filter(([status]) => status.startsWith('2')).map(([, response]) => response);
  const valuesOf = (body: Json) => examplesOf(document, body, where).map(([, value]) => value);
  return {
    operationId: asString(operation.operationId, where),
    method: method.toUpperCase(),
    path,
    pathParameters: parameters.map((parameter) => readPathParameter(document, parameter, where)),
    bodySchema: readBodySchema(document, operation.requestBody, where),
    responses,
    examples: { request: valuesOf(operation.requestBody ?? { content: {} }), success: successes.flatMap(valuesOf) },
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
  const schema = resolve(document, media.schema, where);
  const properties = Object.entries(asObject(schema.properties ?? {}, where));
  const resolved = properties.map(([name, value]) => [name, resolveProperty(document, value, `${where}: ${name}`)]);
  return { ...schema, properties: Object.fromEntries(resolved) };
}

/** A property, merged with the schema in its `allOf`: OpenAPI 3.0 allows no keyword beside a `$ref`. */
function resolveProperty(document: JsonObject, value: Json, where: string): JsonObject {
  const { allOf = [], 'x-null-is-absent': nullIsAbsent, ...own } = asObject(value, where);
  const targets = asArray(allOf, where).map((target) => resolve(document, target, where));
  return { ...Object.assign({}, ...targets), ...own, ...(nullIsAbsent === true ? { nullable: true } : {}) };
}

/** The examples of all error responses, of operations and of unknown paths. Each is a refusal. */
export function namedExamples(document: JsonObject): NamedExample[] {
  const otherwise = Object.entries(asObject(document['x-otherwise'], 'x-otherwise'));
  const responses = [...operationsOf(document).flatMap((operation) => [...operation.responses]), ...otherwise];
  const errors = responses.filter(([status]) => Number(status) >= 400);
  const found = errors.flatMap(([status, response]) =>
    examplesOf(document, response, status).map(([refusal, value]) => {
      const text = asString(asObject(value, refusal).error, refusal);
      return { refusal, status: Number(status), text };
    }),
  );
  return [...new Map(found.map((example) => [JSON.stringify(example), example])).values()];
}

/** The names and values of the examples of a request or response with JSON. */
function examplesOf(document: JsonObject, body: Json, where: string): [name: string, value: Json][] {
  const media = asObject(resolve(document, body, where).content, where)['application/json'];
  const examples = asObject(asObject(media ?? {}, where).examples ?? {}, where);
  return Object.entries(examples).map(([name, example]) => [name, resolve(document, example, name).value ?? null]);
}
