import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body has more bytes than the service reads. */
export class BodyTooLarge extends Error {}

/** The client went away before its request was whole: nobody is there to answer. */
export class ClientGone extends Error {}

export const noBytes = Buffer.alloc(0);

/** The request has no body, so that there is nothing to wait for. */
export function hasNoBody(request: IncomingMessage): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/**
 * Reads the bytes of a body, by `Content-Length` or in chunks, up to the limit. Throws BodyTooLarge or ClientGone. A
 * client that waits for `100 Continue` gets it here, after everything that could refuse the request without its body.
 * box/body/1, choice/box/6, choice/box/7
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { expect, 'content-length': announced } = request.headers;
    if (Number(announced ?? 0) > maxBytes) throw new BodyTooLarge();
    const waits = expect !== undefined && /^100-continue$/i.test(expect);
    if (waits && request.httpVersion === '1.1') response.writeContinue();
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      request.off('data', onData);
      chunks.length = 0;
      reject(new BodyTooLarge());
    };
    request.on('data', onData);
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** Parses a body as JSON; undefined, which is no JSON value, if it is not JSON in valid UTF-8. choice/box/11 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // The parser's only way to say that this is no JSON.
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
