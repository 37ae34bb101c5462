import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { clockHint } from './clock-hint.ts';
import type { HostAnswer } from './host-answer.ts';
import { trustSystemCertificates } from './system-certificates.ts';
import { userAgent } from './user-agent.ts';

const answerMs = 5000;
const mostBytes = 4096;
/** Without a response, and without a problem yet. */
export const noAnswer = {
  ...{ status: 0, server: '', date: '', text: '', problem: null, isLate: false, distrust: null },
  ...{ certificateFrom: null, certificateUntil: null, certificateId: '' },
};

/**
 * Asks a proxy for a page of a host as a browser would. The host's name is not resolved unless it is the proxy's
 * address. Never throws: a missing response is a result too, and a failed name resolution is the `problem` ENOTFOUND or
 * EAI_AGAIN.
 * @param auth - `NAME:PASSWORD` of basic authentication
 * @param proxy - where the proxy listens, such as `https://127.0.0.1`
 */
export function probeHost(
  proxy: string,
  host: string,
  { path = '/', timeoutMs = answerMs, auth }: { path?: string; timeoutMs?: number; auth?: string } = {},
): Promise<HostAnswer> {
  const address = URL.parse(proxy);
  return new Promise((resolve) => {
    const found = (answer: Partial<HostAnswer>) => resolve({ ...noAnswer, host, ...answer });
    if (address === null || !/^https?:$/.test(address.protocol))
      return found({ problem: `${proxy} is not an address` });
    const overTls = address.protocol === 'https:';
    if (overTls) trustSystemCertificates();
    const options = {
      path,
      headers: { host, ...userAgent },
      ...(auth === undefined ? {} : { auth }),
      agent: false as const,
      signal: AbortSignal.timeout(timeoutMs),
      // A response over an untrusted connection still counts; `distrust` has the reason.
      ...(overTls ? { servername: nameOf(host), rejectUnauthorized: false } : {}),
    };
    const request = (overTls ? tlsRequest : plainRequest)(address.origin, options, async (response) => {
      const certificate = overTls ? certificateOf(response) : {};
      const { statusCode: status = 0, headers } = response;
      const { server = '', date = '' } = headers;
      found({ status, server: String(server), date, ...certificate, text: await startOf(response) });
    });
    // Node would close an unexpected protocol upgrade without a response.
    request.on('upgrade', ({ statusCode: status = 0, headers }, socket) => {
      socket.destroy();
      found({ status, server: String(headers.server ?? '') });
    });
    let isConnected = false;
    request.on('socket', (socket) =>
      socket.once(overTls ? 'secureConnect' : 'connect', () => {
        isConnected = true;
      }),
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isLate = error.name === 'AbortError';
      const problem = isLate ? `it took longer than ${timeoutMs / 1000} s` : (error.code ?? error.message);
      found({ problem, isLate: isLate && isConnected });
    });
    request.end();
  });
}

/** Server name indication takes neither addresses nor ports. */
function nameOf(host: string): string {
  const name = host.replace(/:\d+$/, '');
  return /^[\d.]+$|:/.test(name) ? '' : name;
}

/** The first piece of the body; empty if there is no body. Does not wait for an endless page to finish. */
async function startOf(response: IncomingMessage): Promise<string> {
  try {
    for await (const chunk of response) return (chunk as Buffer).toString('latin1', 0, mostBytes);
  } catch {
    // The body was cut off or is too slow. The status is enough.
  }
  return '';
}

function certificateOf({ socket }: IncomingMessage): Partial<HostAnswer> {
  const { authorized, authorizationError } = socket as TLSSocket;
  const certificate = (socket as TLSSocket).getPeerX509Certificate();
  return {
    distrust: authorized ? null : `${authorizationError}${clockHint(String(authorizationError))}`,
    certificateFrom: certificate?.validFromDate ?? null,
    certificateUntil: certificate?.validToDate ?? null,
    certificateId: certificate?.fingerprint256 ?? '',
  };
}
