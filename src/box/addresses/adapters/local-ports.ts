import { once } from 'node:events';
import { connect } from 'node:net';
import { probeHost } from '../../../lib/network/probe-host.ts';
import type { LocalPorts } from '../ports.ts';

const limitMs = 2000;

/** Marks of the management page, both in its first bytes. */
const pageMark = /<meta name="boxgate-version"|id="boxgate"/;

export const localPorts: LocalPorts = { listens, isBoxgate, speaks };

async function listens(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function isBoxgate(address: string, port: number): Promise<boolean> {
  const answers = await Promise.all(
    ['http', 'https'].map((scheme) =>
      // Asks under a loopback host name, because the box refuses requests for its tunnel address.
      probeHost(`${scheme}://${address}:${port}`, `127.0.0.1:${port}`, { path: '/apps', timeoutMs: limitMs }),
    ),
  );
  return answers.some(({ server, text }) => server.startsWith('boxgate/') || pageMark.test(text));
}

/** Servers of HTTPS answer 400 to plain HTTP, or end the connection. */
async function speaks(address: string, port: number): Promise<'http' | 'https' | null> {
  const ask = (scheme: string) =>
    probeHost(`${scheme}://${address}:${port}`, `${address}:${port}`, { timeoutMs: limitMs });
  const [plain, tls] = await Promise.all([ask('http'), ask('https')]);
  if (tls.problem === null && (plain.problem !== null || plain.status === 400)) return 'https';
  return plain.problem === null ? 'http' : null;
}
