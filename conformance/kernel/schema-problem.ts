import { CheckFailed } from './expect.ts';

/** The parts of an error of Ajv that a sentence needs. */
export type SchemaError = {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string | undefined;
};

/** Says where a value does not fit its schema, what was expected there and what was found. If there are several errors, it says the first. */
export function schemaProblem(what: string, value: unknown, errors: readonly SchemaError[]): CheckFailed {
  const [first, ...others] = errors;
  if (first === undefined) throw new Error(`${what}: no error`);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const found = valueAt(value, first.instancePath);
  const [expected, actual] = expectation(first, found);
  return new CheckFailed(
    `${what}, at ${first.instancePath === '' ? 'its top' : first.instancePath}${more}`,
    expected,
    actual,
  );
}

function expectation({ keyword, params, message = keyword }: SchemaError, found: unknown): [unknown, unknown] {
  if (keyword === 'required') return [`a field ${JSON.stringify(params.missingProperty)}`, found];
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return ['no other field', params.additionalProperty ?? params.unevaluatedProperty];
  if (keyword === 'enum') return [`one of ${JSON.stringify(params.allowedValues)}`, found];
  if (keyword === 'const') return [params.allowedValue, found];
  return [message.replace(/^must /, ''), found];
}

/** The value at a JSON pointer. */
function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    value,
  );
}
