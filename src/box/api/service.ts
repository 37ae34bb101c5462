import type { Head, Service } from '../../http/exchange.ts';
import { type Match, makeMatcher } from '../../http/match.ts';
import type { Handlers } from '../../http/operation.ts';
import type { Reply } from '../../http/reply.ts';
import type { ChangeEnd, Journal } from '../../lib/journal.ts';
import type { Action } from '../engine/rules/actions.ts';
import { outcomeOfActions, outcomeOfUpdate } from '../engine/rules/outcomes.ts';
import type { ImageChange } from '../rules/compose/image-changes.ts';
import type { operations } from './api.gen.ts';
import {
  asRequestedChange,
  makeEdge,
  methodNotAllowed,
  type RequestInput,
  refuseCrossSite,
  refuseForeignHost,
  replyOf,
} from './edge.ts';
import { refuse } from './refusals.ts';
import { fieldRefusal, hasName, requestInput } from './requests.ts';
import type { OwnNames } from './rules/request-origin.ts';
import { operations as endpoints, type OperationId } from './validators.gen.ts';

export type BoxHandlers = Handlers<operations>;

/** box/body/5, box/endpoints/1 */
const matchEndpoint = makeMatcher<OperationId>(endpoints);

/** The box's own rules around its handlers. The journal gets each change that reaches its handler. */
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

/** The operations that change something, with their verbs in the journal. choice/box/330 */
const changeVerbs: Readonly<Partial<Record<OperationId, string>>> = {
  installApp: 'install',
  updateAppSettings: 'configure',
  updateApp: 'update',
  removeApp: 'remove',
  applySelfUpdate: 'self-update',
};

/** The fields of successful replies that the journal reads. */
type ChangeBody = {
  actions?: readonly Action[] | null;
  /** The path of the app's directory. */
  installed?: string;
  updated?: string | boolean;
  starting?: readonly string[];
  services?: readonly ImageChange[] | null;
  to_version?: string;
  compose_warning?: string | null;
  unit?: string;
};

export function outcomeOfBody(body: ChangeBody): ChangeEnd {
  const { actions, installed, updated, services, starting, to_version, compose_warning, unit } = body;
  const app = installed?.split('/').at(-1) ?? (typeof updated === 'string' ? updated : null);
  if (actions) return outcomeOfActions(actions, app);
  if (services) return outcomeOfUpdate(services, starting, to_version);
  return { outcome: 'ok', detail: compose_warning ?? (unit === undefined ? '' : `${unit} started`) };
}
