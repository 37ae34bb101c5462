import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Observed, parseBody } from './exchange.ts';
import { patient } from './patience.ts';

export type RawResponse = {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  json: unknown;
};

/** The responses on one connection, whether the server closed it, and whether the time was up before. */
export type RawExchange = { responses: RawResponse[]; closed: boolean; isLate: boolean; bytes: Buffer };

export type RawRequest = {
  /** Sent in this order. A number is a pause in milliseconds, so that the parts arrive separately. */
  parts: (string | Buffer | number)[];
  /** Ends the client's half of the connection after the last part. */
  halfClose?: boolean;
  /** How many responses to wait for. Defaults to one. */
  responses?: number;
  timeoutMs?: number;
  /** Resets the connection when the first bytes arrive. */
  resets?: boolean;
  /** Called after each data event once the first response is complete. */
  onResponse?: () => void;
};

/**
 * Sends bytes that an HTTP client would not send. Reads responses until there are enough of them, the server closes the
 * connection, or the time is up.
 */
export async function sendBytes(port: number, request: RawRequest): Promise<RawExchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let bytes = Buffer.alloc(0);
  let closed = false;
  let isLate = false;
  const finished = new Promise<void>((resolve) => {
    const timer = setTimeout(
      () => {
        isLate = true;
        resolve();
      },
      patient(request.timeoutMs ?? 4000),
    );
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.on('data', (chunk) => {
      if (request.resets) {
        socket.resetAndDestroy();
        return settle();
      }
      bytes = Buffer.concat([bytes, chunk]);
      const { length } = parseResponses(bytes);
      if (length > 0) request.onResponse?.();
      if (length >= (request.responses ?? 1)) settle();
    });
    socket.once('end', () => {
      closed = true;
      settle();
    });
    socket.once('error', () => {
      // A reset closes the connection too. Earlier responses count.
      closed = true;
      settle();
    });
  });
  for (const part of request.parts) {
    if (typeof part === 'number') await pause(part);
    else if (!closed) socket.write(part);
  }
  if (request.halfClose) socket.end();
  await finished;
  socket.destroy();
  return { responses: parseResponses(bytes), closed, isLate, bytes };
}

/** Matches the request lines in the sent bytes with the responses, in order. */
export function observedIn({ parts }: RawRequest, { responses }: RawExchange): Observed[] {
  const sent = Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.alloc(0) : Buffer.from(part))));
  const lines = [...sent.toString('latin1').matchAll(/(?<=^|\r\n)([A-Z]+) (\S+) HTTP\/\S*\r\n/g)];
  return lines.flatMap(([, method = '', path = ''], index) => {
    const status = responses[index]?.status;
    return status === undefined ? [] : [{ method, path, status, requestBody: Buffer.alloc(0) }];
  });
}

/** Every complete response at the start of these bytes. */
function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return responses;
    const [first = '', ...lines] = rest.subarray(0, head).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const found = readBody(rest.subarray(head + 4), headers);
    if (found === null) return responses;
    const { body, length } = found;
    responses.push({ status: Number(first.split(' ')[1]), headers, body, ...parseBody(body) });
    rest = rest.subarray(head + 4 + length);
  }
}

/** The body at the start of these bytes, and how many bytes it takes. `null` if it is not complete. */
function readBody(bytes: Buffer, headers: Record<string, string>): { body: Buffer; length: number } | null {
  if (/chunked/i.test(headers['transfer-encoding'] ?? '')) return readChunks(bytes);
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? null : { body: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): { body: Buffer; length: number } | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    if (start < 2) return null;
    const size = Number.parseInt(bytes.subarray(at, start).toString('latin1'), 16);
    // The last chunk is empty, and trailers may follow it.
    const end = size > 0 ? start + size + 2 : bytes.indexOf('\r\n\r\n', start - 2) + 4;
    if (Number.isNaN(size) || end < start || bytes.length < end) return null;
    if (size === 0) return { body: Buffer.concat(chunks), length: end };
    chunks.push(bytes.subarray(start, start + size));
    at = end;
  }
}
