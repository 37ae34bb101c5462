/**
 * A TypeScript file with everything that a server checks of a request, made from its OpenAPI document:
 * ajv's standalone validators bundled to stand alone, and the tables that say what a failed constraint means.
 */
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import {
  asObject,
  type Json,
  type JsonObject,
  type Operation,
  operationsOf,
  stringOrNull,
} from './document.ts';

type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  readonly at: string;
  readonly refusal: string;
  readonly absent?: readonly Json[];
  readonly rule?: string;
};

/** Words of OpenAPI and of this folder that constrain nothing. */
const annotations = ['x-refusal', 'x-refusal-missing', 'x-rule', 'example'];

/** @param extra - schemas that are no part of the document: the name of the exported validator to its schema */
export async function validatorsFile(
  document: JsonObject,
  source: string,
  extra: Readonly<Record<string, JsonObject>>,
): Promise<string> {
  const operations = operationsOf(document);
  const bodies = operations.filter((operation) => operation.bodySchema !== null);
  const withPath = operations.filter(({ pathParameters }) =>
    pathParameters.some(({ refusal }) => refusal !== null),
  );
  const withToken = operations.filter((operation) => operation.needsToken);
  const schemas = new Map<string, JsonObject>([
    ...bodies.map((operation) => [`${operation.operationId}Body`, operation.bodySchema ?? {}] as const),
    ...withPath.map((operation) => [`${operation.operationId}Path`, pathSchema(operation)] as const),
    ...Object.entries(extra),
  ]);
  return [
    header(source),
    names(
      'OperationId',
      operations.map((operation) => operation.operationId),
    ),
    names('DocumentRefusal', constraintRefusalNames(operations)),
    types,
    table('operations', 'readonly OperationRow[]', operations.map(operationRow)),
    refusalTable(operations),
    ...(withToken.length > 0 ? [tokenTable(withToken)] : []),
    await standalone(schemas),
    validatorTable('bodyValidators', bodies, 'Body'),
    ...(withPath.length > 0 ? [validatorTable('pathValidators', withPath, 'Path')] : []),
    ...Object.keys(extra).map(
      (name) => `export const validate${capital(name)}: Validator = ${name} as Validator;\n`,
    ),
  ].join('\n');
}

function header(source: string): string {
  return `// @ts-nocheck: the validators below are ajv's; what is exported is typed by hand in the generator.
/**
 * Made by \`node spec/generate.ts\` from ${source}. Never edited.
 *
 * How a request is judged: \`operations\` has the table of endpoints in the document's order.
 * \`pathValidators[id]({ name })\` and \`bodyValidators[id](body)\` leave all their findings in \`.errors\`. A finding lies
 * at the first segment of its \`instancePath\`, or, for the keyword \`required\` at the top, at \`params.missingProperty\`;
 * the first row of \`constraintRefusals[id]\` that applies is the answer: one with \`absent\` to a property that is not
 * there or has such a value, any other to a finding at its place. A body has been seen to be an object before, so
 * every finding has a row.
 */
`;
}

const types = `export type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value that broke the rule; of a missing property, the object that lacks it. */
  readonly data: unknown;
};

/** A compiled schema. Defaults of the schema are filled in, in the value that it is given. */
export type Validator = {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};

export type OperationRow = {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the document has it: a parameter stands in braces. */
  readonly path: string;
};

export type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  /** The name of the path parameter, or of the body's property. */
  readonly at: string;
  readonly refusal: DocumentRefusal;
  /** Only for a property that is not there, or has one of these values. */
  readonly absent?: readonly unknown[];
  /** What the property must be, for the refusal's text. */
  readonly rule?: string;
};
`;

function names(type: string, values: readonly string[]): string {
  return `export type ${type} =\n${values.map((value) => `  | '${value}'`).join('\n')};\n`;
}

function table(name: string, type: string, rows: unknown): string {
  return `export const ${name}: ${type} = ${JSON.stringify(rows, null, 2)};\n`;
}

function operationRow({ operationId, method, path }: Operation): object {
  return { operationId, method, path };
}

function tokenTable(operations: readonly Operation[]): string {
  const ids = operations.map(({ operationId }) => `  '${operationId}',\n`);
  return `export const tokenOperations: ReadonlySet<OperationId> = new Set<OperationId>([\n${ids.join('')}]);\n`;
}

function refusalTable(operations: readonly Operation[]): string {
  const rows = Object.fromEntries(
    operations.map((operation) => [operation.operationId, constraintRefusals(operation)]),
  );
  return table('constraintRefusals', 'Readonly<Record<OperationId, readonly ConstraintRefusal[]>>', rows);
}

/**
 * What each constraint of a request causes, in the order in which it is looked for: path parameters, what the body
 * lacks, and then the body's properties, as they stand.
 */
export function constraintRefusals(operation: Operation): ConstraintRefusal[] {
  const properties = Object.entries(asObject(operation.bodySchema?.properties ?? {}, operation.operationId));
  return [
    ...operation.pathParameters.flatMap(({ name, refusal }) =>
      refusal === null ? [] : [{ in: 'path' as const, at: name, refusal }],
    ),
    ...properties.flatMap(([at, schema]) => absenceRefusal(at, asObject(schema, at))),
    ...properties.map(([at, schema]) => breachRefusal(operation, at, asObject(schema, at))),
  ];
}

function absenceRefusal(at: string, schema: JsonObject): ConstraintRefusal[] {
  const refusal = stringOrNull(schema['x-refusal-missing'], at);
  const absent = schema.type === 'string' ? [null, ''] : [null];
  return refusal === null ? [] : [{ in: 'body', at, refusal, absent }];
}

function breachRefusal(operation: Operation, at: string, schema: JsonObject): ConstraintRefusal {
  const refusal = stringOrNull(schema['x-refusal'], at);
  const rule = stringOrNull(schema['x-rule'], at);
  if (refusal === null) throw new Error(`${operation.operationId}: '${at}' names no refusal`);
  return { in: 'body', at, refusal, ...(rule === null ? {} : { rule }) };
}

function constraintRefusalNames(operations: readonly Operation[]): string[] {
  const names = operations.flatMap((operation) => constraintRefusals(operation).map((row) => row.refusal));
  return [...new Set(names)];
}

function pathSchema(operation: Operation): JsonObject {
  return {
    type: 'object',
    required: operation.pathParameters.map((parameter) => parameter.name),
    properties: Object.fromEntries(operation.pathParameters.map(({ name, schema }) => [name, schema])),
  };
}

/** The validators as plain functions under the schemas' names, with the few helpers of ajv that they call. */
async function standalone(schemas: ReadonlyMap<string, JsonObject>): Promise<string> {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(annotations);
  // An $id of the schema's own would stand in the way of the name under which it is exported.
  for (const [name, { $id: _, ...schema }] of schemas) ajv.addSchema(schema, name);
  const code = standaloneCode.default(
    ajv,
    Object.fromEntries([...schemas.keys()].map((name) => [name, name])),
  );
  const bundle = await build({
    // ajv's modules still call require() for helpers such as ucs2length; bundling puts those in.
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    legalComments: 'none',
  });
  const text = bundle.outputFiles[0]?.text ?? '';
  return text.replace(/^export \{[^}]*\};\n/m, '');
}

function validatorTable(name: string, operations: readonly Operation[], suffix: string): string {
  const rows = operations.map(
    ({ operationId }) => `  ${operationId}: ${operationId}${suffix} as Validator,\n`,
  );
  const keys = operations.map(({ operationId }) => `'${operationId}'`).join(' | ');
  return `export const ${name}: Readonly<Record<${keys}, Validator>> = {\n${rows.join('')}};\n`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
