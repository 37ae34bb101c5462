import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, ClientGone, hasNoBody, noBytes, readBody } from './body.ts';
import { type Match, pathOf } from './match.ts';
import { type Reply, sendReply, startReply } from './reply.ts';
import { reportFault } from './report.ts';

/** A request before its body was read. */
export type Head = {
  /** HEAD is GET for a service that answers it so. */
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values as they came, each header as often as it came. */
  rawHeaders: readonly string[];
  /** The address of the other end of the connection; undefined when it is gone. */
  remoteAddress: string | undefined;
};

/**
 * The rules that one service adds to the exchange, in the order in which the exchange calls them. Each may throw a
 * refusal, or return it as a reply.
 */
export type Service = {
  /** The value of the header `Server`. */
  server: string;
  maxBodyBytes: number;
  /** Whether HEAD is answered as GET without the body; else it is a method like any other. */
  headIsGet: boolean;
  /** Refuses what must not even be read. */
  admit(head: Head): void;
  /** Makes the bytes the request's body, or refuses them. */
  readBody(head: Head, bytes: Buffer): unknown;
  match(head: Head): Match | null;
  /** Refuses a request that no endpoint takes. */
  refuseUnknown(head: Head, body: unknown): Reply;
  /** Takes a request that an endpoint was found for to its handler, or refuses its fields. */
  handle(match: Match, body: unknown, head: Head): Reply | Promise<Reply>;
  /** The answer to a refusal that was thrown; null for any other error. */
  refusalReply(error: unknown): Reply | null;
  malformed(reason: string): Reply;
  unknownMethod(): Reply;
  bodyTooLarge(): Reply;
  internalError(id: string): Reply;
};

/** Set when the server stops: every response from then on closes its connection. */
export type Connection = { close: boolean };

/**
 * Carries one request out, from its headers to its response; every step of every service is ordered here and nowhere
 * else, and every error is caught here. Settles when the operation has ended and the response has begun, with whether
 * the connection closes after it. A client that goes away after its request was complete changes nothing.
 * box/body/4, choice/box/12, choice/box/13, choice/box/16
 */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  connection: Connection,
): Promise<boolean> {
  const send = (reply: Reply | null): boolean => {
    if (reply === null) return true;
    // Node drops what follows a request for an upgrade in the same packet. choice/box/188
    const isLast = connection.close || request.headers.upgrade !== undefined;
    if (reply.closes) sendLast(request, response, reply, service.server);
    else sendReply(response, reply, service.server, isLast);
    return reply.closes === true || isLast;
  };
  return replyTo(request, response, service)
    .then(send)
    .catch((error: unknown) => send(replyToFault(error, service)));
}

async function replyTo(request: IncomingMessage, response: ServerResponse, service: Service): Promise<Reply> {
  const problem = problemOfHead(request);
  if (problem !== null) return { ...service.malformed(problem), closes: true };
  const head = headOf(request, service);
  service.admit(head);
  const bytes = hasNoBody(request) ? noBytes : await readBody(request, response, service.maxBodyBytes);
  const body = service.readBody(head, bytes);
  const match = service.match(head);
  return match === null ? service.refuseUnknown(head, body) : service.handle(match, body, head);
}

/** Null if the client is gone. */
function replyToFault(error: unknown, service: Service): Reply | null {
  if (error instanceof ClientGone) return null;
  if (error instanceof BodyTooLarge) return { ...service.bodyTooLarge(), closes: true };
  return service.refusalReply(error) ?? unknownFault(error, service);
}

function headOf(
  { method = '', url = '', headers, rawHeaders, socket }: IncomingMessage,
  service: Service,
): Head {
  return {
    method: service.headIsGet && method === 'HEAD' ? 'GET' : method,
    path: pathOf(url),
    headers,
    rawHeaders,
    remoteAddress: socket.remoteAddress,
  };
}

/** Checks that Node omits. HTTP/1.1 requires exactly one host: a proxy before us may have used the other one of two. */
function problemOfHead({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'neither HTTP/1.1 nor HTTP/1.0';
  if (headers.host === undefined) return httpVersion === '1.1' ? 'no Host header' : null;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    // As nearly everybody spells it, or as nobody does.
    if (name === 'Host' || (name.length === 4 && name.toLowerCase() === 'host')) count += 1;
  }
  return count > 1 ? 'more than one Host header' : null;
}

/** The whole fault goes to standard error, its id to the client, and nothing of it to anybody else. */
function unknownFault(error: unknown, service: Service): Reply {
  return service.internalError(reportFault(error));
}

/** How long bytes are still read and dropped after a connection's last response. */
export const lingerMs = 2000;

/**
 * Sends the response, then reads on for a moment: a connection that is closed over unread bytes is reset, and the reset
 * can overtake the response. After that the connection is closed, whatever the client still sends.
 */
function sendLast(request: IncomingMessage, response: ServerResponse, reply: Reply, server: string): void {
  if (hasNoBody(request)) {
    sendReply(response, reply, server, true);
    return;
  }
  const content = startReply(response, reply, server, true);
  if (content === null) return;
  response.write(content.bytes);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.on('end', end);
  request.on('close', end);
  request.resume();
}
