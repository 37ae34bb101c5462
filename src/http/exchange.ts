import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, ClientGone, readBody } from './body.ts';
import { type Match, pathOf } from './match.ts';
import type { Reply } from './reply.ts';
import { reportFault } from './report.ts';

/** A request before its body was read. */
export type Head = {
  /** For a service with `headIsGet`, `GET` if the client sent `HEAD`. */
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, in the order and spelling of the client. */
  rawHeaders: readonly string[];
  /** The client's address, or the proxy's; `undefined` if the connection is closed. */
  remoteAddress: string | undefined;
};

/**
 * The rules that one service adds to an exchange, in the order in which the exchange calls them. Each may throw a
 * refusal or return it as a reply.
 */
export type Service = {
  /** The value of the header `Server`. */
  server: string;
  maxBodyBytes: number;
  /** Whether HEAD is answered as GET without the body. */
  headIsGet: boolean;
  /** Refuses requests whose body must not be read. */
  admit(head: Head): void;
  /** Parses the body, or refuses it. */
  readBody(head: Head, bytes: Buffer): unknown;
  match(head: Head): Match | null;
  /** Refuses a request that matches no endpoint. */
  refuseUnknown(head: Head, body: unknown): Reply;
  /** Calls the handler of an endpoint, or refuses the fields of the request. */
  handle(match: Match, body: unknown, head: Head): Promise<Reply>;
  /** The reply to a refusal that was thrown; `null` for any other error. */
  refusalReply(error: unknown): Reply | null;
  malformed(reason: string): Reply;
  /** The reply to a method that Node cannot parse, or to CONNECT. */
  unknownMethod(path: string): Reply;
  bodyTooLarge(): Reply;
  internalError(id: string): Reply;
};

/**
 * Carries one request out, from its headers to its reply. Orders the steps of every service and catches every error.
 * `null` if the client disconnected before its request was complete. A later disconnect has no effect.
 * box/body/4, choice/box/16
 */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<Reply | null> {
  try {
    const problem = problemOfHead(request);
    if (problem !== null) return { ...service.malformed(problem), closes: true };
    const head = headOf(request, service);
    service.admit(head);
    const bytes = await readBody(request, response, service.maxBodyBytes);
    const body = service.readBody(head, bytes);
    const match = service.match(head);
    return match === null ? service.refuseUnknown(head, body) : await service.handle(match, body, head);
  } catch (error) {
    if (error instanceof ClientGone) return null;
    if (error instanceof BodyTooLarge) return { ...service.bodyTooLarge(), closes: true };
    return service.refusalReply(error) ?? replyToFault(error, service);
  }
}

function headOf({ method = '', url = '', headers, rawHeaders, socket }: IncomingMessage, { headIsGet }: Service): Head {
  return {
    method: headIsGet && method === 'HEAD' ? 'GET' : method,
    path: pathOf(url),
    headers,
    rawHeaders,
    remoteAddress: socket.remoteAddress,
  };
}

/** Checks that Node omits. If a request has two hosts, a proxy in front may have used the other one. */
function problemOfHead({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'neither HTTP/1.1 nor HTTP/1.0';
  if (headers.host === undefined) return httpVersion === '1.1' ? 'no Host header' : null;
  return countHeader(rawHeaders, 'host') > 1 ? 'more than one Host header' : null;
}

/** How often the client sent a header. Node keeps only the first one of some headers. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Writes the error to standard error under an id. The client gets only that id. choice/box/16 */
export function replyToFault(error: unknown, service: Service): Reply {
  return service.internalError(reportFault(error));
}
