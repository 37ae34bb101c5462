import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Observed } from '../run/coverage.ts';
import { readBody } from './exchange.ts';

/**
 * Exchanges at the level of bytes: what an HTTP client would not send. The parts go out one after the other,
 * and everything that comes back until the other side closes, or until `enough` says so, is read as answers.
 */
export type RawAnswer = {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  json: unknown;
};

export type RawExchange = { answers: RawAnswer[]; closed: boolean; bytes: Buffer };

export type RawAsked = {
  /** Bytes to send; a number is a pause in milliseconds, so that parts arrive apart. */
  parts: (string | Buffer | number)[];
  /** Ends our half of the connection after the last part. */
  halfClose?: boolean;
  /** How many answers to wait for; the default is one. */
  answers?: number;
  timeoutMs?: number;
  /** Breaks the connection off as soon as anything comes back, unread answers or not. */
  resets?: boolean;
  /** Told as soon as there is a first whole answer. */
  onAnswer?: () => void;
};

export async function rawExchange(port: number, asked: RawAsked): Promise<RawExchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let bytes = Buffer.alloc(0);
  let closed = false;
  const finished = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, asked.timeoutMs ?? 20_000);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.on('data', (chunk) => {
      if (asked.resets) {
        socket.resetAndDestroy();
        return settle();
      }
      bytes = Buffer.concat([bytes, chunk]);
      const { length } = readAnswers(bytes);
      if (length > 0) asked.onAnswer?.();
      if (length >= (asked.answers ?? 1)) settle();
    });
    socket.once('end', () => {
      closed = true;
      settle();
    });
    socket.once('error', () => {
      // A reset is one way to close: what was answered before it counts.
      closed = true;
      settle();
    });
  });
  for (const part of asked.parts) {
    if (typeof part === 'number') await pause(part);
    else if (!closed) socket.write(part);
  }
  if (asked.halfClose) socket.end();
  await finished;
  socket.destroy();
  return { answers: readAnswers(bytes), closed, bytes };
}

/** What was asked in bytes, request line by request line, each with the answer in its place. */
export function observedIn({ parts }: RawAsked, { answers }: RawExchange): Observed[] {
  const sent = Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.alloc(0) : Buffer.from(part))),
  );
  const lines = [...sent.toString('latin1').matchAll(/(?<=^|\r\n)([A-Z]+) (\S+) HTTP\/\S*\r\n/g)];
  return lines.flatMap(([, method = '', path = ''], index) => {
    const status = answers[index]?.status;
    return status === undefined ? [] : [{ method, path, status, requestBody: Buffer.alloc(0) }];
  });
}

/** Every whole answer at the start of these bytes. */
function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return answers;
    const [first = '', ...lines] = rest.subarray(0, head).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const start = head + 4;
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < start + length) return answers;
    const body = rest.subarray(start, start + length);
    answers.push({ status: Number(first.split(' ')[1]), headers, body, ...readBody(body) });
    rest = rest.subarray(start + length);
  }
}
