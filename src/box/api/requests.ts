import { violatedConstraint } from '../../http/constraints.ts';
import type { Match } from '../../http/match.ts';
import { nameInPath } from '../rules/manifest/app-name.ts';
import type { RequestInput } from './edge.ts';
import type { RefusalName } from './refusals.ts';
import { bodyValidators, constraintRefusals, type OperationId, pathValidators } from './validators.gen.ts';

const rules = { constraintRefusals, pathValidators, bodyValidators };

/** The refusal of the first constraint that a field violates, in the document's order; `null` without one. */
export function fieldRefusal(match: Match<OperationId>, body: RequestInput): RefusalName | null {
  return violatedConstraint(rules, match, body);
}

/** Path parameters and documented fields; of the body of an update, only boxgate's own field. choice/box/242 */
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

/** Whether a body has the name that paths with a name require, for the fallback of unknown paths. box/endpoints/9 */
export function hasName(body: RequestInput): boolean {
  return bodyValidators.removeApp(body);
}
