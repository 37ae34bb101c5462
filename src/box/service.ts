import { isJsonObject, parseJsonBody } from '../http/body.ts';
import type { Head, Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import type { Handlers } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
import type { operations } from './api.gen.ts';
import { endpoints } from './endpoints.ts';
import { Refusal, type RefusalName, refusals, refusalText, refuse } from './refusals.ts';
import { hasName, type RequestInput, requestInput } from './requests.ts';
import {
  hostName,
  isCrossSite,
  isOwnHost,
  type OriginHeaders,
  type OwnNames,
} from './rules/request-origin.ts';
import type { OperationId } from './validators.gen.ts';

export type BoxHandlers = Handlers<operations>;

/** choice/box/7 */
const maxBodyBytes = 1024 * 1024;

const matchEndpoint = makeMatcher(endpoints);

/** The box's own rules of an exchange, around its handlers. `version` is the software's. */
export function boxService(handlers: BoxHandlers, own: OwnNames, version: string): Service {
  // Which input belongs to which handler is held by the types above, and by the operation's id here.
  const byId = handlers as Record<OperationId, (input: RequestInput) => Reply | Promise<Reply>>;
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: true, // choice/box/1
    admit: (head) => admit(head, own),
    readBody: (head, bytes) => (head.method === 'POST' ? readObject(bytes) : {}),
    match: ({ method, path }) => matchEndpoint(method, path),
    refuseUnknown,
    handle(match, body) {
      const { operationId } = match as Match<OperationId>;
      return byId[operationId](requestInput(match as Match<OperationId>, body as RequestInput));
    },
    refusalReply: (error) => (error instanceof Refusal ? refusalReply(error) : null),
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: () => replyOf('methodNotAllowed'),
    bodyTooLarge: () => replyOf('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

/** choice/box/13, choice/box/20, choice/box/24, choice/box/27 */
function admit(head: Head, own: OwnNames): void {
  const { method, headers } = head;
  const isPost = method === 'POST';
  if (!isOwnHost(headers.host, own) && (isPost || asksForSettings(head))) {
    refuse('foreignHost', { host: hostName(headers.host ?? '') });
  }
  // Node joins a header that comes twice with commas; only its types do not say so.
  if (isPost && isCrossSite(headers as OriginHeaders, own)) refuse('crossSite');
}

function asksForSettings({ method, path }: Head): boolean {
  return matchEndpoint(method, path)?.operationId === 'getAppSettings';
}

/** box/body/2, box/body/3, box/body/6 */
function readObject(bytes: Buffer): RequestInput {
  if (bytes.length === 0) return {};
  const value = parseJsonBody(bytes);
  if (value === undefined) refuse('invalidJson');
  if (!isJsonObject(value)) refuse('bodyNotObject');
  return value;
}

/** box/endpoints/7, box/endpoints/9, box/endpoints/10, choice/box/2, choice/box/3 */
function refuseUnknown({ method }: Head, body: unknown): never {
  if (method !== 'GET' && method !== 'POST') refuse('methodNotAllowed');
  if (method === 'POST' && !hasName(body as RequestInput)) refuse('nameMissing');
  refuse('notFound');
}

function replyOf(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): Reply {
  return errorReply(refusal, refusals[refusal].status, refusalText(refusal, fill));
}

function refusalReply({ refusal, status, message }: Refusal): Reply {
  return errorReply(refusal, status, message);
}

function errorReply(refusal: RefusalName, status: number, error: string): Reply {
  const reply = { status, body: { error } };
  return refusal === 'methodNotAllowed' ? { ...reply, headers: { Allow: 'GET, HEAD, POST' } } : reply;
}
