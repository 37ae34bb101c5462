import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body is larger than the service accepts. */
export class BodyTooLarge extends Error {}

/** The connection closed before the request was complete, so there is no client to answer. */
export class ClientGone extends Error {}

const noBytes = Buffer.alloc(0);

/**
 * Reads a body up to the limit. Throws BodyTooLarge or ClientGone. A client that waits for `100 Continue` gets it here,
 * after all steps that can refuse the request without its body.
 * box/body/1, choice/box/7
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> | Buffer {
  const { expect, 'content-length': announced, 'transfer-encoding': encoding } = request.headers;
  // With `optimizeEmptyRequests` Node emits no event for a request without a body.
  if (announced === undefined && encoding === undefined) return noBytes;
  if (Number(announced ?? 0) > maxBytes) throw new BodyTooLarge();
  if (expect?.toLowerCase() === '100-continue' && request.httpVersion === '1.1') response.writeContinue();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) reject(new BodyTooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}

/** Parses a body as JSON; `undefined` if it is not JSON in valid UTF-8. */
export function parseJsonBody(bytes: Buffer): unknown {
  // Most requests have no body. A syntax error, thrown and caught, would be a quarter of their time.
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
