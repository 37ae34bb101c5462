import { request as httpRequest } from 'node:http';

/** One request and its answer, kept whole for the judge and the report. */
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
  /** The body as JSON, or undefined when it is none. */
  json: unknown;
};

export type Asked = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Bytes and text go as they are, undefined sends no body, anything else goes as JSON. */
  body?: unknown;
  timeoutMs?: number;
  host?: string;
};

/** There was no answer, or no whole one. */
export class NoAnswer extends Error {}

export function exchange(port: number, asked: Asked): Promise<Exchange> {
  const { headers, body } = headersAndBody(asked);
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new NoAnswer(`${asked.method} ${asked.path}: ${why}`));
    const sent = httpRequest({
      host: asked.host ?? '127.0.0.1',
      port,
      method: asked.method,
      path: asked.path,
      headers,
      agent: false,
      timeout: asked.timeoutMs ?? 90_000,
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.once('error', (error) => fail(error.message));
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', (error) => fail(`the answer broke off: ${error.message}`));
      answer.once('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          method: asked.method,
          path: asked.path,
          requestHeaders: headers,
          requestBody: body,
          status: answer.statusCode ?? 0,
          headers: flatHeaders(answer.headers),
          body: bytes,
          ...readBody(bytes),
        });
      });
    });
    sent.end(body);
  });
}

/** What goes out for it. */
export function headersAndBody(asked: Pick<Asked, 'headers' | 'body'>): {
  headers: Record<string, string>;
  body: Buffer;
} {
  const body = bodyBytes(asked.body);
  const headers: Record<string, string> = { ...asked.headers };
  if (asked.body !== undefined && headers['Transfer-Encoding'] === undefined) {
    headers['Content-Length'] ??= String(body.length);
    headers['Content-Type'] ??= 'application/json';
  }
  return { headers, body };
}

export function readBody(bytes: Buffer): { text: string; json: unknown } {
  const text = bytes.toString('utf8');
  try {
    return { text, json: JSON.parse(text) };
  } catch {
    // No JSON: the page, or a fault that the judge names.
    return { text, json: undefined };
  }
}

function bodyBytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function flatHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
