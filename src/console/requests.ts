import type { RequestInput } from '../box/api/edge.ts';
import { refuse } from '../box/api/refusals.ts';
import { nameInPath } from '../box/rules/manifest/app-name.ts';
import { violatedConstraint } from '../http/constraints.ts';
import type { Match } from '../http/match.ts';
import {
  bodyValidators,
  constraintRefusals,
  type OperationId,
  pathValidators,
  type Validator,
} from './validators.gen.ts';

type Validators = Readonly<Record<string, Validator | undefined>>;

const pathRules: Validators = pathValidators;
const bodyRules: Validators = bodyValidators;

/**
 * The input of a handler: the path parameter, which is an app's name, and the documented fields of the body. A missing
 * or invalid field causes the refusal that the document names for it.
 */
export function requestInput({ operationId, params }: Match<OperationId>, body: RequestInput): RequestInput {
  const rows = constraintRefusals[operationId];
  const validators = { path: pathRules[operationId], body: bodyRules[operationId] };
  const refusal = violatedConstraint(rows, validators, { path: params, body });
  if (refusal !== null) refuse(refusal);
  const fields = rows.filter(({ in: place, at }) => place === 'body' && Object.hasOwn(body, at));
  const names = Object.entries(params).map(([name, value]) => [name, nameInPath(value)]);
  return Object.fromEntries([...names, ...fields.map(({ at }) => [at, body[at]])]);
}
