import type { Match } from '../http/match.ts';
import { refuse } from './refusals.ts';
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
 * What a handler is given: path parameters and the documented fields of the body. A value that breaks a constraint of
 * the document is refused as the document names it, the first one in its order; no rule of it is repeated here.
 * box/installApp, box/removeApp, box/updateAppSettings, box/updateApp, box/getAppSettings: the refusals of fields
 */
export function requestInput(match: Match<OperationId>, body: RequestInput): RequestInput {
  const { operationId, params } = match;
  const values = { path: params, body };
  const faults = {
    path: faultyFields(validatorsOf.path[operationId], values.path),
    body: faultyFields(validatorsOf.body[operationId], values.body),
  };
  const input: RequestInput = {};
  for (const { in: place, at, refusal } of constraintRefusals[operationId]) {
    if (faults[place].has(at)) refuse(refusal);
    if (Object.hasOwn(values[place], at)) input[at] = values[place][at];
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
