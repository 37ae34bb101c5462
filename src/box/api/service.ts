import type { Head, Service } from '../../http/exchange.ts';
import { type Match, makeMatcher } from '../../http/match.ts';
import type { Handlers } from '../../http/operation.ts';
import type { Reply } from '../../http/reply.ts';
import type { Journal } from '../../lib/journal.ts';
import type { operations } from './api.gen.ts';
import { changeVerbs, outcomeOfBody } from './change-lines.ts';
import {
  asRequestedChange,
  makeEdge,
  methodNotAllowed,
  type RequestInput,
  refuseCrossSite,
  refuseForeignHost,
  replyOf,
} from './edge.ts';
import { endpoints } from './endpoints.ts';
import { refuse } from './refusals.ts';
import { fieldRefusal, hasName, requestInput } from './requests.ts';
import type { OwnNames } from './rules/request-origin.ts';
import type { OperationId } from './validators.gen.ts';

export type BoxHandlers = Handlers<operations>;

const matchEndpoint = makeMatcher(endpoints);

/**
 * The box's own rules of an exchange, around its handlers. `version` is the software's. The journal gets each change
 * that reaches its handler.
 */
export function boxService(handlers: BoxHandlers, own: OwnNames, version: string, journal: Journal): Service {
  // The operation id ensures that each handler gets its own input.
  const byId = handlers as Record<OperationId, (input: RequestInput) => Promise<Reply>>;
  return {
    ...makeEdge(matchEndpoint, version),
    admit: (head) => admit(head, own),
    refuseUnknown,
    async handle(given, body, head) {
      const match = given as Match<OperationId>;
      const refusal = fieldRefusal(match, body as RequestInput);
      if (refusal !== null) refuse(refusal);
      const input = requestInput(match, body as RequestInput);
      const operation = changeVerbs[match.operationId];
      const carryOut = () => byId[match.operationId](input);
      if (operation === undefined) return carryOut();
      const change = { operation, subject: String(input.name ?? ''), head };
      return asRequestedChange(journal, change, carryOut, outcomeOfBody);
    },
  };
}

/** choice/box/20, choice/box/24, choice/box/200 */
function admit(head: Head, own: OwnNames): void {
  const isPost = head.method === 'POST';
  if (!isPost && matchEndpoint(head.method, head.path)?.operationId !== 'getAppSettings') return;
  refuseForeignHost(head, own);
  if (isPost) refuseCrossSite(head, own);
}

/** box/endpoints/7, box/endpoints/9-10, choice/box/1 */
function refuseUnknown({ method, path }: Head, body: unknown): Reply {
  if (method !== 'GET' && method !== 'POST') return methodNotAllowed(matchEndpoint, path);
  if (method === 'POST' && !hasName(body as RequestInput)) return replyOf('nameMissing');
  return replyOf('notFound');
}
