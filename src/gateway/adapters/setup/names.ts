import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { probeHost } from '../../../lib/network/probe-host.ts';
import type { Records } from '../../setup/rules/records.ts';
import type { Proof } from '../../setup/setup-ports.ts';
import { certificateFor } from './certificate.ts';

/** Public resolvers: what they answer, visitors and the certificate authority see, too. */
const outside = ['1.1.1.1', '9.9.9.9'];
const lookMs = 3000;
const proofMs = 3000;
const mostZoneServers = 3;

/**
 * The A and AAAA records of names of one domain: those of the zone's own name servers, which remember nothing, else those
 * of these resolvers. Without them public ones are asked, and this server's own one where they are out of reach.
 */
export async function lookUp(names: readonly string[], servers: readonly string[]): Promise<Records[]> {
  let resolver = makeResolver(servers.length === 0 ? outside : servers);
  let records = await addressesOf(resolver, names);
  const isOut = records.every(({ problem }) => problem === 'ETIMEOUT' || problem === 'ECONNREFUSED');
  if (isOut && servers.length === 0) {
    resolver = makeResolver([]);
    records = await addressesOf(resolver, names);
  }
  if (records.every(({ problem }) => problem !== null)) return records;
  const zones = zonesAbove(names[0] ?? '');
  const zoneServers = await firstOf(zones, (zone) => serversOf(resolver, zone));
  const fresh = zoneServers === null ? [] : await addressesOf(makeResolver(zoneServers, 1), names);
  const known = records.map((one, i) => (fresh[i]?.addresses.length ? fresh[i] : one));
  if (fresh.length > 0 && fresh.every(({ problem }) => problem === null)) return known;
  const rememberedSeconds = await firstOf(zones, async (zone) => (await resolver.resolveSoa(zone)).minttl);
  const isAbsent = ({ addresses, problem }: Records) => addresses.length === 0 && problem === null;
  return known.map((one) => (isAbsent(one) ? { ...one, rememberedSeconds } : one));
}

/** Without servers the resolver is that of this machine. */
function makeResolver(servers: readonly string[], tries = 2): Resolver {
  const resolver = new Resolver({ timeout: lookMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

/** The domains above a name that may be a zone, without the top level. */
function zonesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, i) => labels.slice(i + 1).join('.'));
}

/** The first of these answers that is not an error. */
async function firstOf<Answer>(
  zones: readonly string[],
  ask: (zone: string) => Promise<Answer>,
): Promise<Answer | null> {
  for (const zone of zones) {
    try {
      return await ask(zone);
    } catch {
      // The zone may begin further up.
    }
  }
  return null;
}

/** The addresses of a zone's name servers. Throws if it has none. */
async function serversOf(resolver: Resolver, zone: string): Promise<string[]> {
  const names = (await resolver.resolveNs(zone)).slice(0, mostZoneServers);
  const found = (await addressesOf(resolver, names)).flatMap(({ addresses }) => addresses.slice(0, 1));
  if (found.length === 0) throw new Error(`${zone} has no name server with an address`);
  return found;
}

function addressesOf(resolver: Resolver, names: readonly string[]): Promise<Records[]> {
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
 * Which addresses lead to this server: it listens on port 80 for a moment and asks for a page that nobody else has. Where
 * the gateway's own proxy has the port, its certificate is compared.
 * @returns null if another program has the port
 */
export async function proveAddresses(host: string, addresses: readonly string[], port = 80): Promise<Proof | null> {
  const secret = crypto.randomUUID();
  const server = createServer(({ headers }, response) =>
    response.end(isForwarded(headers) ? `proxied ${secret}` : secret),
  );
  if (!(await listens(server, port))) return proveByCertificate(host, addresses);
  try {
    const answers = await Promise.all(
      addresses.map((address) => {
        const at = `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
        return probeHost(at, host, { path: '/.well-known/boxgate-setup', timeoutMs: proofMs });
      }),
    );
    const answering = (text: string) => addresses.filter((_, i) => answers[i]?.text === text);
    return { proven: answering(secret), proxied: answering(`proxied ${secret}`) };
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/** Translation of addresses leaves a request as it was; a proxy adds headers to it. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => !['host', 'connection', 'user-agent'].includes(name));
}

async function proveByCertificate(host: string, addresses: readonly string[]): Promise<Proof | null> {
  const own = await certificateFor(host);
  if (own === null) return null;
  const shown = await Promise.all(addresses.map((address) => certificateFor(host, { address })));
  const isOwn = (_: string, i: number) => shown[i]?.fingerprint === own.fingerprint;
  return { proven: addresses.filter(isOwn), proxied: [] };
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
