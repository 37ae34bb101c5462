import { parseJsonBody } from '../../http/body.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { Head, Service } from '../../http/exchange.ts';
import type { Matcher } from '../../http/match.ts';
import { errorReply, type Reply } from '../../http/reply.ts';
import { type ChangeEnd, type Journal, journalled } from '../../lib/journal.ts';
import { isJsonObject } from '../../lib/json.ts';
import { StorageFailed, TooManyChanges } from '../core.ts';
import { outcomeOfError } from '../logged-change.ts';
import type { Page } from './api-box.ts';
import { Refusal, type RefusalName, refusalOf, refuse } from './refusals.ts';
import {
  hostName,
  isCrossSite,
  isOwnHost,
  type OriginHeaders,
  type OwnNames,
  tunnelHost,
} from './rules/request-origin.ts';

export type RequestInput = Record<string, unknown>;

/** choice/box/7 */
const maxBodyBytes = 1024 * 1024;

/** The rules of an exchange that the box and its console share. `version` is the software's. */
export function makeEdge(match: Matcher, version: string): Omit<Service, 'admit' | 'refuseUnknown' | 'handle'> {
  return {
    server: `boxgate/${version}`,
    maxBodyBytes,
    headIsGet: true, // choice/box/1
    readBody: (head, bytes) => (head.method === 'POST' ? readObject(bytes) : {}),
    match: ({ method, path }) => match(method, path),
    refusalReply,
    malformed: (reason) => replyOf('malformedRequest', { reason }),
    unknownMethod: (path) => methodNotAllowed(match, path),
    bodyTooLarge: () => replyOf('bodyTooLarge'),
    internalError: (id) => replyOf('internalError', { id }),
  };
}

/** Refuses a request under another name, or through the tunnel. choice/box/24, choice/box/200 */
export function refuseForeignHost({ headers }: Pick<Head, 'headers'>, own: OwnNames): void {
  // Node joins repeated headers with commas, but its types allow arrays.
  const known = headers as OriginHeaders;
  if (!isOwnHost(known.host, own)) refuse('foreignHost', { host: hostName(known.host ?? '') });
  const host = tunnelHost(known, own);
  if (host !== null) refuse('tunnelHost', { host });
}

/** choice/box/20 */
export function refuseCrossSite({ headers }: Pick<Head, 'headers'>, own: OwnNames): void {
  if (isCrossSite(headers as OriginHeaders, own)) refuse('crossSite');
}

export function pageReply({ html, headers }: Page) {
  const { 'Content-Type': type = 'text/html; charset=utf-8', ...others } = headers;
  return { status: 200 as const, type, body: html, headers: others };
}

/** Carries out a change and writes its line into the journal. */
export function asRequestedChange(
  journal: Journal,
  change: { operation: string; subject: string; head: Head },
  work: () => Promise<Reply>,
  ofBody: (body: object) => ChangeEnd,
): Promise<Reply> {
  const { operation, subject, head } = change;
  const outcomes = { ofResult: ({ body }: Reply) => ofBody(body as object), ofError: outcomeOfError };
  return journalled(journal, { operation, subject, by: `from ${clientAddress(head)}` }, work, outcomes);
}

/** box/body/2, box/body/3, box/body/6 */
function readObject(bytes: Buffer): RequestInput {
  if (bytes.length === 0) return {};
  const value = parseJsonBody(bytes);
  if (value === undefined) refuse('invalidJson');
  if (!isJsonObject(value)) refuse('bodyNotObject');
  return value;
}

/** `Allow` has the methods of the path; it is empty for a path that does not exist. choice/box/1 */
export function methodNotAllowed(match: Matcher, path: string): Reply {
  const methods = ['GET', 'POST'].filter((method) => match(method, path) !== null);
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const reply = replyOf('methodNotAllowed');
  return { ...reply, headers: { ...reply.headers, Allow: allow.join(', ') } };
}

export function replyOf(name: RefusalName, fill: Readonly<Record<string, string>> = {}) {
  return replyTo(refusalOf(name, fill));
}

function replyTo({ refusal, status, message }: Refusal) {
  return errorReply(refusal, status, message);
}

/** A full disk and a full queue are refusals too. `null` for an unexpected error. */
function refusalReply(error: unknown): Reply | null {
  if (error instanceof Refusal) return replyTo(error);
  if (error instanceof StorageFailed) return replyOf('storageFailed', { reason: error.message });
  if (error instanceof TooManyChanges) return replyOf('tooManyChanges');
  return null;
}
