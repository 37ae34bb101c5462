import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { trustSystemCertificates } from './system-certificates.ts';

export type HostAnswer = {
  host: string;
  /** 0 if there was no response; `problem` says why. */
  status: number;
  /** The `Server` header; empty if absent. */
  server: string;
  /** The `Date` header; empty if absent. */
  date: string;
  /** The beginning of the body. */
  text: string;
  problem: string | null;
  /** Why a browser would not trust the certificate; `null` if it would, or for plain HTTP. */
  distrust: string | null;
  /** When the certificate ends; `null` for plain HTTP. */
  certificateUntil: Date | null;
};

const answerMs = 5000;
const mostBytes = 4096;
const noAnswer = { status: 0, server: '', date: '', text: '', problem: null, distrust: null, certificateUntil: null };

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
    if (address === null) return found({ problem: `${proxy} is not an address` });
    const { protocol, hostname, port } = address;
    const overTls = protocol === 'https:';
    if (overTls) trustSystemCertificates();
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (overTls ? 443 : 80) : Number(port),
      path,
      headers: { host },
      ...(auth === undefined ? {} : { auth }),
      agent: false as const,
      signal: AbortSignal.timeout(timeoutMs),
      // A response over an untrusted connection still counts; `distrust` has the reason.
      ...(overTls ? { servername: nameOf(host), rejectUnauthorized: false } : {}),
    };
    const request = (overTls ? tlsRequest : plainRequest)(options, async (response) => {
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
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isLate = error.name === 'AbortError';
      found({
        problem: isLate ? `it took longer than ${timeoutMs / 1000} s` : (error.code ?? error.message),
      });
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

function certificateOf({ socket }: IncomingMessage): Pick<HostAnswer, 'distrust' | 'certificateUntil'> {
  const { authorized, authorizationError } = socket as TLSSocket;
  const until = new Date((socket as TLSSocket).getPeerCertificate().valid_to);
  return {
    distrust: authorized ? null : String(authorizationError),
    certificateUntil: Number.isNaN(until.getTime()) ? null : until,
  };
}
