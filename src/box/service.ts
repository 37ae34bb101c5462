import { isJsonObject, parseJsonBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Head, Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import type { Handlers } from '../http/operation.ts';
import { errorReply, type Reply } from '../http/reply.ts';
import { type Journal, journalled } from '../lib/journal.ts';
import type { operations } from './api.gen.ts';
import { endpoints } from './endpoints.ts';
import { changeVerbs, outcomeOfBody, outcomeOfError } from './journal.ts';
import { StorageFailed, TooManyChanges } from './ports.ts';
import { Refusal, type RefusalName, refusals, refusalText, refuse } from './refusals.ts';
import { fieldRefusal, hasName, type RequestInput, requestInput } from './requests.ts';
import {
  hostName,
  isCrossSite,
  isOwnHost,
  type OriginHeaders,
  type OwnNames,
  tunnelHost,
} from './rules/request-origin.ts';
import type { OperationId } from './validators.gen.ts';

export type BoxHandlers = Handlers<operations>;

/** choice/box/7 */
const maxBodyBytes = 1024 * 1024;

const matchEndpoint = makeMatcher(endpoints);

/**
 * The box's own rules of an exchange, around its handlers. `version` is the software's. The journal gets each change
 * that reaches its handler.
 */
export function boxService(handlers: BoxHandlers, own: OwnNames, version: string, journal: Journal): Service {
  // The operation id ensures that each handler gets its own input.
  const byId = handlers as Record<OperationId, (input: RequestInput) => Promise<Reply>>;
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: true, // choice/box/1
    admit: (head) => admit(head, own),
    readBody: (head, bytes) => (head.method === 'POST' ? readObject(bytes) : {}),
    match: ({ method, path }) => matchEndpoint(method, path),
    refuseUnknown,
    async handle(given, body, head) {
      const match = given as Match<OperationId>;
      const refusal = fieldRefusal(match, body as RequestInput);
      if (refusal !== null) refuse(refusal);
      const input = requestInput(match, body as RequestInput);
      const operation = changeVerbs[match.operationId];
      if (operation === undefined) return byId[match.operationId](input);
      const change = { operation, subject: String(input.name ?? ''), by: `from ${clientAddress(head)}` };
      return journalled(journal, change, () => byId[match.operationId](input), journalOutcomes);
    },
    refusalReply,
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: methodNotAllowed,
    bodyTooLarge: () => replyOf('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

const journalOutcomes = {
  ofResult: ({ body }: Reply) => outcomeOfBody(body as object),
  ofError: outcomeOfError,
};

/** choice/box/20, choice/box/24, choice/box/200 */
function admit(head: Head, own: OwnNames): void {
  const isPost = head.method === 'POST';
  if (!isPost && !asksForSettings(head)) return;
  // Node joins repeated headers with commas, but its types allow arrays.
  const headers = head.headers as OriginHeaders;
  if (!isOwnHost(headers.host, own)) refuse('foreignHost', { host: hostName(headers.host ?? '') });
  const host = tunnelHost(headers, own);
  if (host !== null) refuse('tunnelHost', { host });
  if (isPost && isCrossSite(headers, own)) refuse('crossSite');
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

/** box/endpoints/7, box/endpoints/9-10, choice/box/1 */
function refuseUnknown({ method, path }: Head, body: unknown): Reply {
  if (method !== 'GET' && method !== 'POST') return methodNotAllowed(path);
  if (method === 'POST' && !hasName(body as RequestInput)) return replyOf('nameMissing');
  return replyOf('notFound');
}

/** `Allow` has the methods of the path; it is empty for a path that does not exist. choice/box/1 */
function methodNotAllowed(path: string): Reply {
  const methods = ['GET', 'POST'].filter((method) => matchEndpoint(method, path) !== null);
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const reply = replyOf('methodNotAllowed');
  return { ...reply, headers: { ...reply.headers, Allow: allow.join(', ') } };
}

function replyOf(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}) {
  return errorReply(refusal, refusals[refusal].status, refusalText(refusal, fill));
}

/** A full disk and a full queue are refusals too. `null` for an unexpected error. */
function refusalReply(error: unknown): Reply | null {
  if (error instanceof Refusal) return errorReply(error.refusal, error.status, error.message);
  if (error instanceof StorageFailed) return replyOf('storageFailed', { reason: error.message });
  if (error instanceof TooManyChanges) return replyOf('tooManyChanges');
  return null;
}
