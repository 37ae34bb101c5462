import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { probeHost } from '../../../lib/probe-host.ts';
import type { Records } from '../../rules/setup/records.ts';

/** Public resolvers: what they answer, visitors and the certificate authority see, too. */
const outside = ['1.1.1.1', '9.9.9.9'];
const lookMs = 3000;
const proofMs = 3000;

/**
 * The A and AAAA records of names, of these resolvers. Without them public ones are asked, and this server's own one where
 * they are out of reach.
 */
export async function lookUp(names: readonly string[], servers: readonly string[]): Promise<Records[]> {
  const records = await ask(names, servers.length === 0 ? outside : servers);
  const isOut = records.every(({ problem }) => problem === 'ETIMEOUT' || problem === 'ECONNREFUSED');
  return isOut && servers.length === 0 ? ask(names, null) : records;
}

function ask(names: readonly string[], servers: readonly string[] | null): Promise<Records[]> {
  const resolver = new Resolver({ timeout: lookMs, tries: 2 });
  if (servers !== null) resolver.setServers(servers);
  return Promise.all(
    names.map(async (name) => {
      try {
        const found = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))]);
        return { name, addresses: found.flat(), problem: null };
      } catch (error) {
        return { name, addresses: [], problem: String((error as NodeJS.ErrnoException).code) };
      }
    }),
  );
}

async function orNone(looking: Promise<string[]>): Promise<string[]> {
  try {
    return await looking;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
    throw error;
  }
}

/**
 * Which addresses lead to this server: it listens on port 80 for a moment and asks for a page that nobody else has.
 * @returns null if the port is in use
 */
export async function proveAddresses(host: string, addresses: readonly string[], port = 80): Promise<string[] | null> {
  const secret = crypto.randomUUID();
  const server = createServer((_request, response) => response.end(secret));
  if (!(await listens(server, port))) return null;
  try {
    const answers = await Promise.all(
      addresses.map((address) => {
        const at = `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
        return probeHost(at, host, { path: '/.well-known/boxgate-setup', timeoutMs: proofMs });
      }),
    );
    return addresses.filter((_, i) => answers[i]?.text === secret);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

async function listens(server: Server, port: number): Promise<boolean> {
  try {
    // Without a host: both families, or IPv4 alone on a server without IPv6.
    server.listen(port);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  }
}
