import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { trustSystemCertificates } from './system-certificates.ts';

/** The answer of a proxy for one host. */
export type HostAnswer = {
  host: string;
  /** 0 if `problem` says why there was no answer. */
  status: number;
  /** Its `Server` header; empty without one. */
  server: string;
  /** How its body begins. */
  text: string;
  problem: string | null;
  /** Why a browser would not trust the certificate; null when it would, or when none was asked for. */
  distrust: string | null;
};

const answerMs = 5000;
const mostBytes = 4096;

/**
 * Asks a proxy for a page of a host as a browser would. The host's name is not looked up, unless it is the proxy's
 * address. Never fails: that there is no answer is what was found. A failure of the look-up is the `problem` ENOTFOUND
 * or EAI_AGAIN.
 * @param proxy - where the proxy listens, such as `https://127.0.0.1`
 */
export function probeHost(
  proxy: string,
  host: string,
  { path = '/', timeoutMs = answerMs }: { path?: string; timeoutMs?: number } = {},
): Promise<HostAnswer> {
  const address = URL.parse(proxy);
  return new Promise((resolve) => {
    const found = (answer: Partial<HostAnswer>) =>
      resolve({ host, status: 0, server: '', text: '', problem: null, distrust: null, ...answer });
    if (address === null) return found({ problem: `${proxy} is no address` });
    const { protocol, hostname, port } = address;
    const overTls = protocol === 'https:';
    if (overTls) trustSystemCertificates();
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (overTls ? 443 : 80) : Number(port),
      path,
      headers: { host },
      agent: false as const,
      signal: AbortSignal.timeout(timeoutMs),
      // The answer counts also without trust; `distrust` has the reason.
      ...(overTls ? { servername: nameOf(host), rejectUnauthorized: false } : {}),
    };
    const request = (overTls ? tlsRequest : plainRequest)(options, async (response) => {
      const distrust = overTls ? distrustOf(response) : null;
      const { statusCode: status = 0, headers } = response;
      found({ status, server: String(headers.server ?? ''), distrust, text: await startOf(response) });
    });
    // Nobody asked for another protocol: without this, the connection would end and the answer never come.
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

/** TLS knows no name that is an address or has a port. */
function nameOf(host: string): string {
  const name = host.replace(/:\d+$/, '');
  return /^[\d.]+$|:/.test(name) ? '' : name;
}

/** The first piece of the body; empty if none comes. A page that never ends is not waited for. */
async function startOf(response: IncomingMessage): Promise<string> {
  try {
    for await (const chunk of response) return (chunk as Buffer).toString('latin1', 0, mostBytes);
  } catch {
    // Cut off, or too slow: the status tells enough.
  }
  return '';
}

function distrustOf({ socket }: IncomingMessage): string | null {
  const { authorized, authorizationError } = socket as TLSSocket;
  return authorized ? null : String(authorizationError);
}
