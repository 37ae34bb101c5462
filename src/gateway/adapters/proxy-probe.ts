import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { HostAnswer } from '../rules/diagnosis.ts';

const answerMs = 5000;

/**
 * Asks the proxy for a published host as a browser would, without a look-up of its name: what DNS says is no part of
 * the walk. Never fails; that there is no answer is what was found.
 * @param proxy - where the proxy listens, `https://127.0.0.1` as a rule
 */
export function probeHost(proxy: string, host: string): Promise<HostAnswer> {
  const { protocol, hostname, port } = new URL(proxy);
  const overTls = protocol === 'https:';
  return new Promise((resolve) => {
    const found = (answer: Partial<HostAnswer>) =>
      resolve({ host, status: 0, problem: null, distrust: null, ...answer });
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (overTls ? 443 : 80) : Number(port),
      headers: { host },
      timeout: answerMs,
      agent: false as const,
      // Whether it would be trusted is told beside the answer; it is no reason to get none.
      ...(overTls ? { servername: host, rejectUnauthorized: false } : {}),
    };
    const request = (overTls ? tlsRequest : plainRequest)(options, (response) => {
      response.destroy(); // What the app says is nobody's business here.
      found({ status: response.statusCode ?? 0, distrust: overTls ? distrustOf(response) : null });
    });
    request.on('timeout', () => request.destroy(new Error(`it took longer than ${answerMs / 1000} s`)));
    request.on('error', (error: NodeJS.ErrnoException) => found({ problem: error.code ?? error.message }));
    request.end();
  });
}

function distrustOf({ socket }: IncomingMessage): string | null {
  const { authorized, authorizationError } = socket as TLSSocket;
  return authorized ? null : String(authorizationError);
}
