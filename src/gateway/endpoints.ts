import { type Endpoint, type Match, makeMatcher } from '../http/match.ts';
import { type OperationId, operations } from './validators.gen.ts';

/** The endpoints in the order of the OpenAPI document. gateway/endpoints/3 */
export const endpoints: readonly Endpoint<OperationId>[] = operations;

const findEndpoint = makeMatcher(endpoints);

/**
 * Finds the endpoint of a request. A path parameter is one non-empty segment without a slash.
 * gateway/rules/1, choice/gateway/4
 */
export function matchEndpoint(method: string, path: string): Match<OperationId> | null {
  const match = findEndpoint(method, path);
  if (match === null) return null;
  for (const name in match.params) {
    const value = match.params[name];
    if (value === '' || value?.includes('/')) return null;
  }
  return match;
}
