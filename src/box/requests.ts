import type { Match } from '../http/match.ts';
import type { RefusalName } from './refusals.ts';
import {
  bodyValidators,
  constraintRefusals,
  type OperationId,
  pathValidators,
  type Validator,
} from './validators.gen.ts';

export type RequestInput = Record<string, unknown>;

const validatorsOf: Record<'path' | 'body', Readonly<Record<string, Validator | undefined>>> = {
  path: pathValidators,
  body: bodyValidators,
};

/**
 * What is wrong with the fields of a request: the constraint of the document that comes first in its order names the
 * refusal; no rule of it is repeated here.
 * box/installApp, box/removeApp, box/updateAppSettings, box/updateApp, box/getAppSettings: the refusals of fields
 */
export function fieldRefusal(match: Match<OperationId>, body: RequestInput): RefusalName | null {
  const { operationId, params } = match;
  const faults = {
    path: faultyFields(validatorsOf.path[operationId], params),
    body: faultyFields(validatorsOf.body[operationId], body),
  };
  const first = constraintRefusals[operationId].find((row) => faults[row.in].has(row.at));
  return first?.refusal ?? null;
}

/** What a handler is given: path parameters and the documented fields of the body. */
export function requestInput({ operationId, params }: Match<OperationId>, body: RequestInput): RequestInput {
  const input: RequestInput = {};
  for (const { in: place, at } of constraintRefusals[operationId]) {
    const values: RequestInput = place === 'path' ? params : body;
    if (Object.hasOwn(values, at)) input[at] = values[at];
  }
  return input;
}

const none: ReadonlySet<string> = new Set();

/** The names of the fields of an object that break the schema. */
function faultyFields(validate: Validator | undefined, value: RequestInput): ReadonlySet<string> {
  if (validate === undefined || validate(value)) return none;
  return new Set(
    validate.errors?.map(({ instancePath, keyword, params }) => {
      const missing = keyword === 'required' && instancePath === '';
      return missing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
    }),
  );
}

/**
 * Whether a body has what the fallback of unknown paths asks for, as the document has it for the paths that need a name.
 * box/endpoints/9
 */
export function hasName(body: RequestInput): boolean {
  return bodyValidators.removeApp(body);
}
