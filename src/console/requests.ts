import type { RequestInput } from '../box/api/edge.ts';
import { refuse } from '../box/api/refusals.ts';
import { nameInPath } from '../box/rules/manifest/app-name.ts';
import { violatedConstraint } from '../http/constraints.ts';
import type { Match } from '../http/match.ts';
import { bodyValidators, constraintRefusals, type OperationId, pathValidators } from './validators.gen.ts';

const rules = { constraintRefusals, pathValidators, bodyValidators };

/**
 * The input of a handler: the path parameter, which is an app's name, and the documented fields of the body. A missing
 * or invalid field causes the refusal that the document names for it.
 */
export function requestInput(match: Match<OperationId>, body: RequestInput): RequestInput {
  const refusal = violatedConstraint(rules, match, body);
  if (refusal !== null) refuse(refusal);
  const rows = constraintRefusals[match.operationId];
  const fields = rows.filter(({ in: place, at }) => place === 'body' && Object.hasOwn(body, at));
  const names = Object.entries(match.params).map(([name, value]) => [name, nameInPath(value)]);
  return Object.fromEntries([...names, ...fields.map(({ at }) => [at, body[at]])]);
}
