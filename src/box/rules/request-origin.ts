/**
 * Who a request says it comes from and whom it is for. The box asks for no password, so a web page that its owner
 * visits must not be able to use it: neither by posting from another site, nor by making a name of its own point at
 * the box (DNS rebinding). Programs that send none of these headers notice nothing.
 */

export type OwnNames = {
  /** The machine's name, as the operating system has it. */
  machineName: string;
  /** What `--allowed-host` adds. */
  allowedHosts: readonly string[];
  /** The addresses of the machine's interfaces, without zones. */
  addresses: readonly string[];
};

export type OriginHeaders = {
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | undefined;
  'x-forwarded-host'?: string | undefined;
};

type Host = { name: string; port: string | null; isAddress: boolean };

/** Names under which nobody outside can register one. choice/box/25 */
const localSuffixes = [
  '.local',
  '.lan',
  '.home',
  '.internal',
  '.home.arpa',
  '.localdomain',
  '.localhost',
  '.fritz.box',
  '.ts.net',
];

/**
 * Whether a `Host` header names this box; one that is not there does.
 * choice/box/23-25
 */
export function isOwnHost(
  header: string | undefined,
  own: Pick<OwnNames, 'machineName' | 'allowedHosts'>,
): boolean {
  if (header === undefined || header === '') return true;
  const host = parseHost(header);
  return host !== null && (host.isAddress || isOwnName(host.name, own));
}

/**
 * Whether a page of another site sent the request.
 * choice/box/20-23
 */
export function isCrossSite(headers: OriginHeaders, own: OwnNames): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false;
  const origin = parseOrigin(headers.origin);
  if (origin === null) return true;
  const targets = [headers.host, ...(headers['x-forwarded-host']?.split(',') ?? [])];
  if (targets.some((target) => isSameHost(origin, target))) return false;
  return !(isLoopback(headers.host) && isOwnPage(origin.host, own));
}

/** choice/box/22 */
function isOwnPage(host: Host, own: OwnNames): boolean {
  return host.isAddress ? own.addresses.includes(host.name) : isOwnName(host.name, own);
}

function isOwnName(name: string, own: Pick<OwnNames, 'machineName' | 'allowedHosts'>): boolean {
  if (!name.includes('.')) return true;
  if (localSuffixes.some((suffix) => name.endsWith(suffix))) return true;
  return [own.machineName, ...own.allowedHosts].some((allowed) => parseHost(allowed)?.name === name);
}

function isSameHost(origin: { host: Host; defaultPort: string }, target: string | undefined): boolean {
  const host = parseHost(target?.trim() ?? '');
  if (host === null) return false;
  const port = (of: Host) => of.port ?? origin.defaultPort;
  return host.name === origin.host.name && port(host) === port(origin.host);
}

function isLoopback(header: string | undefined): boolean {
  const host = parseHost(header ?? '');
  if (host === null) return false;
  if (host.isAddress) return host.name === '::1' || host.name.startsWith('127.');
  return host.name === 'localhost' || host.name.endsWith('.localhost');
}

function parseOrigin(origin: string): { host: Host; defaultPort: string } | null {
  const [, scheme, rest] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  const host = parseHost(rest ?? '');
  if (scheme === undefined || host === null) return null;
  return { host, defaultPort: scheme.toLowerCase() === 'https' ? '443' : '80' };
}

/** `name`, `name:port`, `[address]:port`: in lower case, without a final dot; null for anything else. */
function parseHost(text: string): Host | null {
  const [, address, name, port = null] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::(\d{1,5}))?$/.exec(text.toLowerCase()) ?? [];
  if (address !== undefined) return { name: address, port, isAddress: true };
  if (name === undefined) return null;
  const plain = name.replace(/\.$/, '');
  return plain === '' ? null : { name: plain, port, isAddress: isIpv4(plain) };
}

function isIpv4(name: string): boolean {
  const parts = name.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

/** The name in a `Host` header, for a text that says how to allow it. */
export function hostName(header: string): string {
  return (parseHost(header)?.name ?? header).slice(0, 253);
}
