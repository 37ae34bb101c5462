import type { Match } from '../http/match.ts';
import { refuse } from './refusals.ts';
import { bodyValidators, constraintRefusals, type OperationId, type Validator } from './validators.gen.ts';

export type RequestInput = Readonly<Record<string, unknown>>;

const bodyValidatorOf: Readonly<Partial<Record<OperationId, Validator>>> = bodyValidators;

/**
 * Returns the path parameters and the documented fields of the body. A missing or invalid field causes the refusal that
 * the OpenAPI document names for it, in the document's order.
 * gateway/registerBox/2-3, gateway/publishRoute/2-5, gateway/publishRoute/8, choice/gateway/28, choice/gateway/73
 */
export function requestInput({ operationId, params }: Match<OperationId>, body: RequestInput): RequestInput {
  const constraints = constraintRefusals[operationId];
  if (constraints.length === 0) return params;
  const faulty = faultyFields(bodyValidatorOf[operationId], body);
  const input: Record<string, unknown> = { ...params };
  for (const { at, refusal, absent, rule } of constraints) {
    const value = body[at];
    const isFaulty = absent === undefined ? faulty.has(at) : value === undefined || absent.includes(value);
    if (isFaulty) refuse(refusal, { reason: `${at} must be ${rule}` });
    if (value !== undefined) input[at] = value;
  }
  return input;
}

const none: ReadonlySet<string> = new Set();

/** The names of the body's fields that break the schema. */
function faultyFields(validate: Validator | undefined, body: RequestInput): ReadonlySet<string> {
  if (validate === undefined || validate(body)) return none;
  return new Set(validate.errors?.map(({ instancePath }) => instancePath.split('/')[1] ?? ''));
}
