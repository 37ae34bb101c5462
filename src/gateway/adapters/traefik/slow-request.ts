import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { userAgent } from '../../../lib/network/user-agent.ts';

/** Longer than Traefik's usual limit of a minute. */
const patienceMs = 65_000;

/**
 * Whether a proxy ends a request that takes more than a minute to send: after how many seconds. `null` if it waits, or
 * cannot be reached. Traefik limits headers and body together, so half of a header is enough and no app is asked.
 * @param proxy - where the proxy listens, such as `https://127.0.0.1`
 */
export function secondsUntilCut(proxy: string, host: string, withinMs = patienceMs): Promise<number | null> {
  const { protocol, hostname, port } = new URL(proxy);
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket =
      protocol === 'https:'
        ? connectTls({ ...to, servername: host, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
        : connectPlain(to);
    const end = (seconds: number | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(seconds);
    };
    const timer = setTimeout(() => end(null), withinMs);
    let isSent = false;
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isSent = true;
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgent['User-Agent']}\r\n`);
    });
    const ended = () => end(isSent ? Math.round((performance.now() - startedAt) / 1000) : null);
    socket.on('error', ended).on('data', ended).on('close', ended);
  });
}
