import { type ServerResponse, STATUS_CODES } from 'node:http';

/** The parts of a body that is sent while it is made. The handler has to end it when `gone` is aborted. */
export type Stream = (gone: AbortSignal) => AsyncIterable<string | Buffer>;

/** A handler's reply: a JSON value or, with `type`, text or bytes that are sent unchanged. */
export type Reply = {
  status: number;
  /** With `type`, also a `Stream`. */
  body: unknown;
  /** Content-Type; without it the body is a JSON value. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  /** Cache-Control; without it nothing keeps the reply. */
  caching?: string;
  /** Closes the connection, because the following bytes may belong to the request. */
  closes?: boolean;
};

/** The reply to a refused request. Its header names the refusal as the API document does. */
export function errorReply(refusal: string, status: number, error: string) {
  return { status, body: { error }, headers: { 'Boxgate-Error': refusal } } satisfies Reply;
}

/** JSON of frozen bodies. Without it a list of 1000 unchanged apps costs 1.5 times its floor, and with it 1.3 times. */
const frozenJson = new WeakMap<object, string | Buffer>();

/** Node sends a longer text faster as bytes, and a short one together with the headers. */
const longText = 1024;

function contentOf({ type, body }: Reply): string | Buffer {
  if (type !== undefined) return Buffer.isBuffer(body) ? body : String(body);
  return jsonOfFrozen(body) ?? JSON.stringify(body);
}

/** The JSON of a frozen body, which is made once; `null` for any other body. */
export function jsonOfFrozen(body: unknown): string | Buffer | null {
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) return null;
  const known = frozenJson.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body);
  const json = text.length > longText ? Buffer.from(text) : text;
  frozenJson.set(body, json);
  return json;
}

/** The headers of a response with a known length, names and values in turn. */
function headersOf(reply: Reply, content: string | Buffer, server: string, closes: boolean): string[] {
  const headers = commonHeaders(reply, server, closes);
  headers.push('Content-Length', String(Buffer.byteLength(content)));
  return headers;
}

/** The headers of every response. box/endpoints/3-5, choice/box/18 */
export function commonHeaders(reply: Reply, server: string, closes: boolean): string[] {
  const headers = [
    'Content-Type',
    reply.type ?? 'application/json',
    'Cache-Control',
    reply.caching ?? 'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Server',
    server,
  ];
  for (const name in reply.headers) headers.push(name, reply.headers[name] ?? '');
  if (closes) headers.push('Connection', 'close');
  return headers;
}

/** Sends a reply. Does nothing if the client is gone. */
export function sendReply(response: ServerResponse, reply: Reply, server: string, closes: boolean): void {
  if (response.destroyed) return;
  const content = contentOf(reply);
  // Sets the reason phrase each time, because a failed `writeHead` leaves its own phrase behind.
  response.writeHead(reply.status, STATUS_CODES[reply.status], headersOf(reply, content, server, closes));
  response.end(content);
}

/** A reply as bytes on the wire, for a connection that closes after it. A response to HEAD has no body. */
export function rawReply(reply: Reply, server: string, method = ''): string {
  const content = contentOf(reply);
  const headers = headersOf(reply, content, server, true);
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : content}`;
}
