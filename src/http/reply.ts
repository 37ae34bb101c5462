// From its module: the global of that name is a getter, which costs each time.
import { Buffer } from 'node:buffer';
import { type ServerResponse, STATUS_CODES } from 'node:http';

/** A handler's answer: a JSON value or, with `type`, text or bytes that are sent unchanged. */
export type Reply = {
  status: number;
  body: unknown;
  /** Content-Type; without it the body is a JSON value. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  /** The connection ends with it: what else came on it is not to be trusted. */
  closes?: boolean;
};

const json = 'application/json';
const longestText = 1024;

export type Content = { type: string; bytes: string | Buffer; length: number };

function contentOf(reply: Reply): Content {
  const { body } = reply;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return freshContent(reply);
  return Object.isFrozen(body) ? frozenContent(body, reply) : freshContent(reply);
}

function freshContent({ type, body }: Reply): Content {
  if (Buffer.isBuffer(body)) return { type: type ?? json, bytes: body, length: body.length };
  const bytes = type === undefined ? JSON.stringify(body) : String(body);
  return { type: type ?? json, bytes, length: Buffer.byteLength(bytes) };
}

const frozenContents = new WeakMap<object, Content>();

/** A frozen value is one that is answered again and again: its text is made once. */
function frozenContent(body: object, reply: Reply): Content {
  const before = frozenContents.get(body);
  if (before !== undefined) return before;
  const content = freshContent(reply);
  // A short text goes out in one piece with its head; a long one is not to be encoded again.
  if (content.length > longestText) content.bytes = Buffer.from(content.bytes);
  frozenContents.set(body, content);
  return content;
}

/** The headers of every answer, flat as node:http takes them fastest. box/endpoints/3-5, choice/box/18 */
function headersOf(reply: Reply, content: Content, server: string): string[] {
  const headers = [
    'Content-Type',
    content.type,
    'Content-Length',
    String(content.length),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Server',
    server,
  ];
  for (const name in reply.headers) headers.push(name, reply.headers[name] as string);
  return headers;
}

/** Sends an answer whole. A client that went away meanwhile is no fault. */
export function sendReply(response: ServerResponse, reply: Reply, server: string, close: boolean): void {
  const content = startReply(response, reply, server, close);
  if (content !== null) response.end(content.bytes);
}

/** Sends the head of an answer; the caller sends the rest. Returns null if the connection is gone or has its answer. */
export function startReply(
  response: ServerResponse,
  reply: Reply,
  server: string,
  close: boolean,
): Content | null {
  if (response.destroyed || response.headersSent) return null;
  const content = contentOf(reply);
  const headers = headersOf(reply, content, server);
  if (close) headers.push('Connection', 'close');
  // Named each time: a writeHead that threw leaves its own phrase behind.
  response.writeHead(reply.status, STATUS_CODES[reply.status], headers);
  return content;
}

/** An answer as it goes over the wire, for requests that node:http could not read; the connection closes after it. */
export function rawReply(reply: Reply, server: string): string {
  const content = contentOf(reply);
  const headers = [...headersOf(reply, content, server), 'Connection', 'close'];
  const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${content.bytes}`;
}
