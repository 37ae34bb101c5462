import {
  asRequestedChange,
  makeEdge,
  methodNotAllowed,
  type RequestInput,
  refuseCrossSite,
  refuseForeignHost,
  replyOf,
} from '../box/api/edge.ts';
import type { OwnNames } from '../box/api/rules/request-origin.ts';
import type { Head, Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import type { Handlers } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
import type { Journal } from '../lib/journal.ts';
import { shareByKey } from '../lib/share-work.ts';
import type { operations } from './api.gen.ts';
import { endpoints } from './endpoints.ts';
import { changeVerbs, outcomeOfBody } from './journal.ts';
import { boundStreams } from './open-streams.ts';
import { requestInput } from './requests.ts';
import type { OperationId } from './validators.gen.ts';

export type ConsoleHandlers = Handlers<operations>;

const matchEndpoint = makeMatcher(endpoints);

/**
 * The console's own rules of an exchange, around its handlers. The journal gets each change that reaches its handler.
 */
export function consoleService(handlers: ConsoleHandlers, own: OwnNames, version: string, journal: Journal): Service {
  // The operation id ensures that each handler gets its own input.
  const byId = handlers as Record<OperationId, (input: RequestInput) => Promise<Reply>>;
  const bounded = boundStreams();
  // Many of them start commands, and a page that is open in many tabs asks as often.
  const reads = shareByKey<Reply>();
  return {
    ...makeEdge(matchEndpoint, version),
    admit: (head) => admit(head, own),
    refuseUnknown: ({ method, path }) =>
      method === 'GET' || method === 'POST' ? replyOf('notFound') : methodNotAllowed(matchEndpoint, path),
    async handle(given, body, head) {
      const match = given as Match<OperationId>;
      const input = requestInput(match, body as RequestInput);
      const operation = changeVerbs[match.operationId];
      const carryOut = async () => byId[match.operationId](input);
      if (head.method === 'GET' && operation === undefined) {
        return bounded(await reads.share(JSON.stringify([match.operationId, input]), carryOut));
      }
      try {
        if (operation === undefined) return await carryOut();
        const change = { operation, subject: String(input.name ?? ''), head };
        return await asRequestedChange(journal, change, carryOut, outcomeOfBody);
      } finally {
        // A read that began before does not show the change.
        reads.renew();
      }
    },
  };
}

/**
 * Reads are refused like changes, because logs and settings are private. A page of another site may link to the console,
 * which shows nothing by itself.
 */
function admit(head: Head, own: OwnNames): void {
  refuseForeignHost(head, own);
  const isPage = matchEndpoint(head.method, head.path)?.operationId === 'showConsole';
  if (!isPage) refuseCrossSite(head, own);
}
