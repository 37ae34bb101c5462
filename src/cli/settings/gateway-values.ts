import type { StoreAddress } from '../../gateway/gateway-settings.ts';
import { parseTunnelNetwork } from '../../gateway/rules/tunnel-config.ts';
import { expected, matching } from './parsers.ts';

/** A flag must not contain a password; the variable may. Errors never show a text that may contain one. */
export function storeAddress(text: string, isVariable: boolean): StoreAddress {
  if (text === 'memory:') return { kind: 'memory' };
  if (/^file:[^\0]+$/s.test(text)) return { kind: 'file', path: text.slice('file:'.length) };
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error('expected memory:, file:PATH or postgres://…');
  const url = postgresAddress(text);
  const saysPassword = url.password !== '' || url.searchParams.has('password');
  if (saysPassword && !isVariable) {
    throw new Error('expected an address without a password; the variable or its _FILE may have one');
  }
  return { kind: 'postgres', url: text };
}

const sslModes = ['disable', 'no-verify', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Refuses what the driver would misunderstand, or would only refuse at the first connection. */
function postgresAddress(text: string): URL {
  const url = URL.parse(text);
  const names = [...(url?.searchParams.keys() ?? [])];
  const isPlain = url?.hash === '' && !/[@/,]/.test(`${url.hostname}${url.pathname.slice(1)}`) && canDecode(text);
  if (!isPlain || !names.every((name) => /^\w+$/.test(name))) {
    throw new Error(
      'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE with one host; ' +
        'in a name or password write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25',
    );
  }
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !sslModes.includes(mode)) {
    throw new Error(
      `expected an sslmode of ${sslModes.join(', ')}; all but the first two verify the server's certificate`,
    );
  }
  if (names.some((name) => name.endsWith('encoding'))) {
    throw new Error('expected an address without an encoding: the gateway and PostgreSQL talk in UTF8');
  }
  return url;
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Lower case, because host names have no case and route files have one form. The last label of a name has a letter. */
export function domainName(text: string): string {
  const name = text.toLowerCase();
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  const isName =
    new RegExp(`^(${label}\\.)*${label}$`).test(name) && /[a-z]/.test(name.slice(name.lastIndexOf('.') + 1));
  // A published host has a label and a dot before it.
  if (!isName || name.length > 251) throw expected('a host name such as example.org', text);
  return name;
}

export function tunnelNetwork(text: string): { address: string; prefix: number } {
  const network = parseTunnelNetwork(text);
  if (network === null) throw expected('a network of IPv4 by its first address, such as 10.8.0.0/24', text);
  return network;
}

const label = matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the first label of a host, such as vpn');

/** The first label of a published host; lower case, as a box has to write it. */
export function subdomain(text: string): string {
  return label(text.toLowerCase());
}

/** Characters that a route file may contain. */
export const proxyName = (what: string) => matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, what);
