import type { Match } from './match.ts';

type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
};

type Validator = { (value: unknown): boolean; readonly errors?: readonly SchemaError[] | null };

/** The refusal of each constraint of an operation, in the document's order: path parameters, then the body. */
type Row<Refusal> = { readonly in: 'path' | 'body'; readonly at: string; readonly refusal: Refusal };

/** By operation, as the build makes them from a document. */
type Rules<Id extends string, Refusal> = {
  readonly constraintRefusals: Readonly<Record<Id, readonly Row<Refusal>[]>>;
  readonly pathValidators: Readonly<Record<string, Validator | undefined>>;
  readonly bodyValidators: Readonly<Record<string, Validator | undefined>>;
};

/** The first refusal of the document's order whose constraint a request violates; `null` for a valid request. */
export function violatedConstraint<Id extends string, Refusal>(
  { constraintRefusals, pathValidators, bodyValidators }: Rules<Id, Refusal>,
  { operationId, params }: Match<Id>,
  body: unknown,
): Refusal | null {
  const places = [
    ['path', pathValidators[operationId], params],
    ['body', bodyValidators[operationId], body],
  ] as const;
  for (const [place, validate, value] of places) {
    if (validate === undefined || validate(value)) continue;
    const faulty = new Set(validate.errors?.map(fieldOf));
    const row = constraintRefusals[operationId].find((one) => one.in === place && faulty.has(one.at));
    if (row !== undefined) return row.refusal;
  }
  return null;
}

/** The field in which the violation was found. */
function fieldOf({ instancePath, keyword, params }: SchemaError): string {
  const missing = keyword === 'required' && instancePath === '';
  return missing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
}
