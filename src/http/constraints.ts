type SchemaError = {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
};

type Validator = { (value: unknown): boolean; readonly errors?: readonly SchemaError[] | null };

type Place = 'path' | 'body';

/** The refusal of each constraint of an operation, in the document's order: path parameters, then the body. */
type Row<Refusal> = { readonly in: Place; readonly at: string; readonly refusal: Refusal };

/** The first refusal of the document's order whose constraint a request violates; `null` for a valid request. */
export function violatedConstraint<Refusal>(
  rows: readonly Row<Refusal>[],
  validators: Readonly<Record<Place, Validator | undefined>>,
  values: Readonly<Record<Place, unknown>>,
): Refusal | null {
  const faultsIn = (place: Place) => {
    const validate = validators[place];
    if (validate === undefined || validate(values[place])) return new Set<string>();
    return new Set(validate.errors?.map(fieldOf));
  };
  for (const place of ['path', 'body'] as const) {
    const faulty = faultsIn(place);
    const row = rows.find((one) => one.in === place && faulty.has(one.at));
    if (row !== undefined) return row.refusal;
  }
  return null;
}

/** The field in which the violation was found. */
function fieldOf({ instancePath, keyword, params }: SchemaError): string {
  const missing = keyword === 'required' && instancePath === '';
  return missing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
}
