/**
 * Generates a TypeScript file from an OpenAPI document: ajv's standalone validators of requests, and tables that map a
 * failed constraint to its refusal.
 */
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { asObject, type Json, type JsonObject, type Operation, operationsOf, stringOrNull } from './document.ts';

type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  readonly at: string;
  readonly refusal: string;
  readonly absent?: readonly Json[];
  readonly rule?: string;
};

/** Keywords that constrain nothing. */
const annotations = ['x-refusal', 'x-refusal-missing', 'x-rule'];

/** @param extra - schemas outside the document, by the name of the exported validator */
export async function validatorsFile(
  document: JsonObject,
  source: string,
  extra: Readonly<Record<string, JsonObject>>,
): Promise<string> {
  const operations = operationsOf(document);
  const bodies = operations.filter((operation) => operation.bodySchema !== null);
  const withPath = operations.filter(({ pathParameters }) => pathParameters.some(({ refusal }) => refusal !== null));
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
    validatorTable('pathValidators', withPath, 'Path'),
    ...Object.keys(extra).map((name) => `export const validate${capital(name)}: Validator = ${name} as Validator;\n`),
  ].join('\n');
}

function header(source: string): string {
  return `// @ts-nocheck: the validators below are ajv's; the generator declares the types of the exports.
/**
 * Made by \`node spec/generate.ts\` from ${source}. Never edited.
 *
 * \`operations\` is the table of endpoints in the document's order. \`pathValidators[id]({ name })\` and
 * \`bodyValidators[id](body)\` leave all errors in \`.errors\`. An error belongs to the first segment of its
 * \`instancePath\`; for the keyword \`required\` at the top, to \`params.missingProperty\`. The first row of
 * \`constraintRefusals[id]\` that applies is the refusal. A row with \`absent\` applies to a missing property or one of
 * these values, any other row to an error of its property. The body must be an object, so that every error has a row.
 */
`;
}

const types = `export type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value that failed; for a missing property, the object without it. */
  readonly data: unknown;
};

/** A compiled schema. It adds the schema's defaults to the value. */
export type Validator = {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};

export type OperationRow = {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the document, with parameters in braces. */
  readonly path: string;
};

export type ConstraintRefusal = {
  readonly in: 'path' | 'body';
  /** The name of the path parameter, or of the body's property. */
  readonly at: string;
  readonly refusal: DocumentRefusal;
  /** Restricts the row to a property that is missing or has one of these values. */
  readonly absent?: readonly unknown[];
  /** The rule of the property, for the refusal's text. */
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
 * The refusal of each constraint of a request, in the order of the checks: path parameters, missing properties of the
 * body, then its other properties.
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

/** The validators as functions under the schemas' names, bundled with ajv's helpers. */
async function standalone(schemas: ReadonlyMap<string, JsonObject>): Promise<string> {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(annotations);
  // Removes each schema's `$id`, because it would override the name of the export.
  for (const [name, { $id: _, ...schema }] of schemas) ajv.addSchema(withoutTexts(schema), name);
  const code = standaloneCode.default(ajv, Object.fromEntries([...schemas.keys()].map((name) => [name, name])));
  const bundle = await build({
    // ajv's code calls require() for helpers such as ucs2length; bundling includes them.
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

/** Without descriptions and examples, which no server needs. A property may be called `description`. */
function withoutTexts(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'example' || (key === 'description' && typeof value === 'string') ? undefined : value,
    ),
  );
}

function validatorTable(name: string, operations: readonly Operation[], suffix: string): string {
  const rows = operations.map(({ operationId }) => `  ${operationId}: ${operationId}${suffix} as Validator,\n`);
  const keys = operations.map(({ operationId }) => `'${operationId}'`).join(' | ') || 'never';
  return `export const ${name}: Readonly<Record<${keys}, Validator>> = {\n${rows.join('')}};\n`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
