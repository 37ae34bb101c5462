import { type ClientRequest, request as httpRequest } from 'node:http';
import { patient } from './patience.ts';

/** One request and its complete response. */
export type Exchange = {
  method: string;
  path: string;
  requestHeaders: Record<string, string>;
  requestBody: Buffer;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The body as text. */
  text: string;
  /** The body as JSON. `undefined` if it is not JSON. */
  json: unknown;
};

export type OutgoingRequest = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Strings and buffers are sent unchanged, other values as JSON, `undefined` as no body. */
  body?: unknown;
  timeoutMs?: number;
  host?: string;
};

/** The parts of an exchange that coverage counts. */
export type Observed = Pick<Exchange, 'method' | 'path' | 'status' | 'requestBody'>;

/** There was no complete response. */
export class NoResponse extends Error {
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean) {
    super(message);
    this.isLate = isLate;
  }
}

/** With a hold, the last byte is sent only after its release. */
export function sendRequest(port: number, request: OutgoingRequest, hold?: Hold): Promise<Exchange> {
  const { method, path } = request;
  const { headers, body } = headersAndBody(request);
  const limitMs = patient(request.timeoutMs ?? 4500);
  return new Promise((resolve, reject) => {
    let isLate = false;
    const late = `no complete response within ${limitMs} ms`;
    const fail = (why: string) => reject(new NoResponse(`${method} ${path}: ${isLate ? late : why}`, isLate));
    const sent = httpRequest({
      host: request.host ?? '127.0.0.1',
      port,
      method,
      path,
      headers,
      agent: false,
    });
    const timer = setTimeout(() => {
      isLate = true;
      sent.destroy(new Error(late));
    }, limitMs);
    sent.once('close', () => clearTimeout(timer));
    sent.once('error', (error) => fail(inWordsOfHttp(error)));
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => {
        const length = response.headers['content-length'];
        const whole = length === undefined ? 'without an end' : `of Content-Length: ${length}`;
        fail(`the connection closed after ${Buffer.concat(chunks).length} bytes of a body ${whole}`);
      });
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          method,
          path,
          requestHeaders: headers,
          requestBody: body,
          status: response.statusCode ?? 0,
          headers: joinedHeaders(response.headers),
          body: bytes,
          ...parseBody(bytes),
        });
      });
    });
    if (hold === undefined) sent.end(body);
    else sendHeld(sent, body, hold);
  });
}

/** Node's parser reports what it met in the bytes by codes of its own. */
function inWordsOfHttp(error: NodeJS.ErrnoException): string {
  return error.code?.startsWith('HPE_')
    ? `the answer is no valid HTTP, or has more bytes than its Content-Length (${error.message})`
    : error.message;
}

/** Without a body, no part of the request is sent before the release: only its connection is open. */
function sendHeld(sent: ClientRequest, body: Buffer, { isHeld, released }: Hold): void {
  sent.once('close', isHeld);
  if (body.length > 0) sent.write(body.subarray(0, -1), isHeld);
  else sent.once('socket', (socket) => socket.once('connect', isHeld));
  void released.then(() => sent.end(body.subarray(-1)));
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** The headers and bytes that `sendRequest` sends. */
export function headersAndBody({ headers: given, body: value }: Pick<OutgoingRequest, 'headers' | 'body'>): {
  headers: Record<string, string>;
  body: Buffer;
} {
  const body = bodyBytes(value);
  const headers: Record<string, string> = { ...given };
  if (value !== undefined && headers['Transfer-Encoding'] === undefined) {
    headers['Content-Length'] ??= String(body.length);
    headers['Content-Type'] ??= 'application/json';
  }
  return { headers, body };
}

export function parseBody(bytes: Buffer): { text: string; json: unknown } {
  const text = bytes.toString('utf8');
  return { text, json: parseJson(text) };
}

/** The value of a JSON text. `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bodyBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function joinedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** Keeps a request incomplete until its release. `isHeld` is called when everything but the last byte is sent. */
export type Hold = { isHeld: () => void; released: Promise<void> };

/** Holds of requests that have to end at the same moment. */
export type HoldGroup = {
  add: () => Hold;
  /** Resolves when every added request is held, or has failed. */
  allHeld: () => Promise<unknown>;
  release: () => void;
};

export function makeHoldGroup(): HoldGroup {
  const all: Promise<void>[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return {
    add: () => {
      const { promise, resolve: isHeld } = Promise.withResolvers<void>();
      all.push(promise);
      return { isHeld, released };
    },
    allHeld: () => Promise.all(all),
    release,
  };
}
