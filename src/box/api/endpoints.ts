import type { Endpoint } from '../../http/match.ts';
import { type OperationId, operations } from './validators.gen.ts';

/** The endpoint table, in the document's order. box/body/5, box/endpoints/1 */
export const endpoints: readonly Endpoint<OperationId>[] = operations;
