import { after } from 'node:test';
import { isJsonObject } from '../../lib/json.ts';
import { parseJsonBody } from '../body.ts';
import type { Service } from '../exchange.ts';
import { type Listening, type ListenOptions, listen } from '../listen.ts';
import { makeMatcher } from '../match.ts';
import { type RawClient, rawClient } from './raw-client.ts';

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const match = makeMatcher([
  { operationId: 'show', method: 'GET', path: '/thing' },
  { operationId: 'page', method: 'GET', path: '/' },
  { operationId: 'echo', method: 'POST', path: '/echo' },
  { operationId: 'wait', method: 'POST', path: '/wait' },
  { operationId: 'fail', method: 'POST', path: '/fail' },
]);

export type Log = string[];

/** A service with each kind of operation. `log` gets a line for each step. */
export function makeService(log: Log = [], gate: Promise<void> = Promise.resolve()): Service {
  const reply = (status: number, error: string) => ({ status, body: { error } });
  return {
    server: 'test/1',
    maxBodyBytes: 1000,
    headIsGet: true,
    admit({ headers }) {
      log.push('admit');
      if (headers['x-bad']) throw new Refused(403, 'not you');
    },
    readBody(head, bytes) {
      log.push(`body ${bytes.length}`);
      if (head.method !== 'POST' || bytes.length === 0) return {};
      const value = parseJsonBody(bytes);
      if (!isJsonObject(value)) throw new Refused(400, 'no object');
      return value;
    },
    match({ method, path }) {
      log.push(`match ${path}`);
      return match(method, path);
    },
    refuseUnknown() {
      throw new Refused(404, 'not found');
    },
    async handle({ operationId }, body) {
      log.push(`handle ${operationId}`);
      if (operationId === 'wait') await gate;
      if (operationId === 'fail') throw new Error('the secret cause');
      if (operationId === 'page') return { status: 200, type: 'text/html; charset=utf-8', body: '<p>ü</p>' };
      log.push('done');
      return { status: 200, body: operationId === 'echo' ? body : { thing: 'ü' } };
    },
    refusalReply: (error) => (error instanceof Refused ? reply(error.status, error.message) : null),
    malformed: (reason) => reply(400, `malformed: ${reason}`),
    unknownMethod: () => reply(405, 'method not allowed'),
    bodyTooLarge: () => reply(413, 'too large'),
    internalError: (id) => reply(500, `internal error (${id})`),
  };
}

const open: Listening[] = [];
after(async () => {
  for (const listening of open) await listening.close();
});

export async function start(service: Service = makeService(), options: Partial<ListenOptions> = {}) {
  const listening = await listen({ host: '127.0.0.1', port: 0, service, ...options });
  open.push(listening);
  return listening;
}

export async function clientOf(service?: Service, options?: Partial<ListenOptions>): Promise<RawClient> {
  return rawClient((await start(service, options)).port);
}

export const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
export const post = (path: string, body: string, headers = `Content-Length: ${Buffer.byteLength(body)}\r\n`) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
