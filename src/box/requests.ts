import type { Match } from '../http/match.ts';
import type { RefusalName } from './refusals.ts';
import { nameInPath } from './rules/manifest/app-name.ts';
import {
  bodyValidators,
  constraintRefusals,
  type OperationId,
  pathValidators,
  type SchemaError,
  type Validator,
} from './validators.gen.ts';

export type RequestInput = Record<string, unknown>;

type Validators = Readonly<Record<string, Validator | undefined>>;

const pathRules: Validators = pathValidators;
const bodyRules: Validators = bodyValidators;

/**
 * Returns the refusal for invalid fields. The first violated constraint in the document's order determines the
 * refusal.
 * box/installApp, box/removeApp, box/updateAppSettings, box/updateApp, box/getAppSettings: the refusals of fields
 */
export function fieldRefusal(match: Match<OperationId>, body: RequestInput): RefusalName | null {
  const { operationId, params } = match;
  // In the document's order, path parameters come before the body.
  return (
    refusalOf(operationId, 'path', pathRules[operationId], params) ??
    refusalOf(operationId, 'body', bodyRules[operationId], body)
  );
}

function refusalOf(
  operationId: OperationId,
  place: 'path' | 'body',
  validate: Validator | undefined,
  value: RequestInput,
): RefusalName | null {
  if (validate === undefined || validate(value)) return null;
  const faulty = new Set(validate.errors?.map(fieldOf));
  const row = constraintRefusals[operationId].find((one) => one.in === place && faulty.has(one.at));
  return row?.refusal ?? null;
}

/** The field in which the violation was found. */
function fieldOf({ instancePath, keyword, params }: SchemaError): string {
  const missing = keyword === 'required' && instancePath === '';
  return missing ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '');
}

/**
 * Input of a handler: path parameters, each an app's name, and the documented fields of the body. The body of an update
 * is ignored but for boxgate's own field. choice/box/242
 */
export function requestInput({ operationId, params }: Match<OperationId>, body: RequestInput): RequestInput {
  const input: RequestInput = {};
  if (operationId === 'updateApp' && body.without_backup === true) input.without_backup = true;
  for (const { in: place, at } of constraintRefusals[operationId]) {
    const values: RequestInput = place === 'path' ? params : body;
    if (!Object.hasOwn(values, at)) continue;
    input[at] = place === 'path' ? nameInPath(params[at] ?? '') : values[at];
  }
  return input;
}

/**
 * Whether a body has the name that the fallback of unknown paths requires, by the document's rule for paths with a
 * name.
 * box/endpoints/9
 */
export function hasName(body: RequestInput): boolean {
  return bodyValidators.removeApp(body);
}
