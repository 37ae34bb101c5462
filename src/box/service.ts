import { isJsonObject, parseJsonBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Head, Service } from '../http/exchange.ts';
import { type Match, makeMatcher } from '../http/match.ts';
import type { Handlers } from '../http/operation.ts';
import type { Reply } from '../http/reply.ts';
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
  // Which input belongs to which handler is held by the types above, and by the operation's id here.
  const byId = handlers as Record<OperationId, (input: RequestInput) => Reply | Promise<Reply>>;
  const isOwn = keepVerdicts((host) => isOwnHost(host, own));
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: true, // choice/box/1
    admit: (head) => admit(head, own, isOwn),
    readBody: (head, bytes) => (head.method === 'POST' ? readObject(bytes) : {}),
    match: ({ method, path }) => matchEndpoint(method, path),
    refuseUnknown,
    handle(given, body, head) {
      const match = given as Match<OperationId>;
      const refusal = fieldRefusal(match, body as RequestInput);
      if (refusal !== null) return fixedReply(refusal);
      const input = requestInput(match, body as RequestInput);
      const operation = changeVerbs[match.operationId];
      if (operation === undefined) return byId[match.operationId](input);
      const change = { operation, subject: String(input.name ?? ''), by: `from ${clientAddress(head)}` };
      return journalled(journal, change, () => byId[match.operationId](input), journalOutcomes);
    },
    refusalReply,
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: () => fixedReply('methodNotAllowed'),
    bodyTooLarge: () => fixedReply('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

const journalOutcomes = {
  ofResult: ({ body }: Reply) => outcomeOfBody(body as object),
  ofError: outcomeOfError,
};

/** choice/box/13, choice/box/20, choice/box/24, choice/box/27, choice/box/200 */
function admit(head: Head, own: OwnNames, isOwn: (host: string) => boolean): void {
  const isPost = head.method === 'POST';
  if (!isPost && !asksForSettings(head)) return;
  // Node joins a header that comes twice with commas; only its types do not say so.
  const headers = head.headers as OriginHeaders;
  if (!isOwn(headers.host ?? '')) refuse('foreignHost', { host: hostName(headers.host ?? '') });
  const host = tunnelHost(headers, own);
  if (host !== null) refuse('tunnelHost', { host });
  if (isPost && isCrossSite(headers, own)) refuse('crossSite');
}

const mostVerdicts = 50;

/**
 * Clients send the same few hosts over and over, so each is judged once. Bounded, so that varied `Host` headers cannot
 * exhaust memory.
 */
function keepVerdicts(judge: (host: string) => boolean): (host: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (host) => {
    const known = verdicts.get(host);
    if (known !== undefined) return known;
    if (verdicts.size === mostVerdicts) verdicts.clear();
    const verdict = judge(host);
    verdicts.set(host, verdict);
    return verdict;
  };
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
function refuseUnknown({ method }: Head, body: unknown): Reply {
  if (method !== 'GET' && method !== 'POST') return fixedReply('methodNotAllowed');
  if (method === 'POST' && !hasName(body as RequestInput)) return fixedReply('nameMissing');
  return fixedReply('notFound');
}

const fixedReplies = new Map<RefusalName, Reply>();

/** A refusal whose text has nothing to fill in is the same answer each time, so it is made once. */
function fixedReply(refusal: RefusalName): Reply {
  const before = fixedReplies.get(refusal);
  if (before !== undefined) return before;
  const reply = replyOf(refusal);
  Object.freeze(reply.body);
  fixedReplies.set(refusal, reply);
  return reply;
}

function replyOf(refusal: RefusalName, fill: Readonly<Record<string, string>> = {}): Reply {
  return errorReply(refusal, refusals[refusal].status, refusalText(refusal, fill));
}

/** Faults of the disk and a full queue are refusals that say what is wrong; null for what nobody expected. */
function refusalReply(error: unknown): Reply | null {
  if (error instanceof Refusal) return errorReply(error.refusal, error.status, error.message);
  if (error instanceof StorageFailed) return replyOf('storageFailed', { reason: error.message });
  if (error instanceof TooManyChanges) return fixedReply('tooManyChanges');
  return null;
}

function errorReply(refusal: RefusalName, status: number, error: string): Reply {
  const reply = { status, body: { error } };
  return refusal === 'methodNotAllowed' ? { ...reply, headers: { Allow: 'GET, HEAD, POST' } } : reply;
}
