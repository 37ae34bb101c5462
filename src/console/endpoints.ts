import type { Endpoint } from '../http/match.ts';
import { type OperationId, operations } from './validators.gen.ts';

const lengthAfterParameter = ({ path }: Endpoint) => (path.includes('}') ? path.length - path.indexOf('}') : 0);

/** The endpoint table. If two paths begin with the same parameter, the longer one is tried first. */
export const endpoints: readonly Endpoint<OperationId>[] = [...operations].sort(
  (a, b) => lengthAfterParameter(b) - lengthAfterParameter(a),
);
