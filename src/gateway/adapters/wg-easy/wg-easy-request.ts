import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { boundedBytes } from '../../../lib/network/bounded-bytes.ts';
import { trustSystemCertificates } from '../../../lib/network/system-certificates.ts';
import { userAgent } from '../../../lib/network/user-agent.ts';
import { WgEasyError } from './wg-easy-error.ts';

/** Far more than the list of the largest network. */
const maxAnswerBytes = 8 * 1024 * 1024;

export type Call = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the manager's root; begins with a slash. */
  path: string;
  /** `name=value` as received; `null` for none. */
  cookie: string | null;
  /** Sent as JSON. */
  body?: unknown;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/**
 * Sends one request on a connection of its own, because a server may close a kept one without notice, and reads the whole
 * response within `timeoutMs`. Redirections are not followed.
 */
export function exchange(root: URL, { method, path, cookie, body }: Call, timeoutMs: number): Promise<Answer> {
  const isTls = root.protocol === 'https:';
  if (isTls) trustSystemCertificates();
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const progress = { connected: false, timedOut: false };
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(error instanceof WgEasyError ? error : failure(error, progress, timeoutMs));
    const request = (isTls ? requestHttps : requestHttp)({
      // `hostname` takes an IPv6 address without the brackets of a URL.
      hostname: root.hostname.replace(/^\[|\]$/g, ''),
      port: root.port,
      method,
      path: root.pathname.replace(/(?<!\/)\/+$/, '') + path,
      agent: false,
      headers: {
        ...userAgent,
        accept: 'application/json',
        host: root.host,
        ...(cookie === null ? {} : { cookie }),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    });
    const timer = setTimeout(() => {
      progress.timedOut = true;
      request.destroy(new Error('time limit'));
    }, timeoutMs);
    request.on('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        progress.connected = true;
      });
    });
    request.on('response', (response) => readAnswer(response).then(resolve, fail));
    request.on('error', fail);
    request.on('close', () => clearTimeout(timer));
    request.end(payload);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const bytes = await boundedBytes(response, maxAnswerBytes);
  if (bytes === null) throw new WgEasyError('unexpected', `a response of more than ${maxAnswerBytes} bytes`);
  return { status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString('utf8') };
}

function failure(
  error: NodeJS.ErrnoException,
  { connected, timedOut }: { connected: boolean; timedOut: boolean },
  timeoutMs: number,
): WgEasyError {
  const inTime = `within ${Math.round(timeoutMs / 100) / 10} s`;
  if (timedOut && !connected) return new WgEasyError('unreachable', `no connection ${inTime}`);
  if (timedOut) return new WgEasyError('timeout', `no answer ${inTime}`);
  const code = error.code ?? error.message;
  if (code.startsWith('HPE_')) {
    return new WgEasyError('unexpected', `not an HTTP response (${code})`, { cause: error });
  }
  return new WgEasyError(connected ? 'lost' : 'unreachable', code, { cause: error });
}
