/**
 * Decides whether a request comes from another site, and whether its host is this box. The box asks for no password, so
 * a web page that its owner visits must not be able to use it: neither by posting from another site, nor by pointing
 * its own name at the box (DNS rebinding). Programs that send none of these headers are not affected.
 */

import { plainAddress } from '../../rules/compose/port-span.ts';
import { isLoopback as isLoopbackAddress } from '../../rules/compose/published-ports.ts';

export type OwnNames = {
  machineName: string;
  allowedHosts: readonly string[];
  /** The addresses of the machine's interfaces, without zones. */
  addresses: readonly string[];
  tunnelAddresses: readonly string[];
  port: number;
};

export type OriginHeaders = {
  host?: string | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | undefined;
  'x-forwarded-host'?: string | undefined;
};

type Host = { name: string; port: string | null; isAddress: boolean };
type Origin = { host: Host; defaultPort: string };

/** Top-level names that nobody outside can register. choice/box/24 */
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

/** Whether a `Host` header names this box. An absent header counts as the box's name. choice/box/20, choice/box/24 */
export function isOwnHost(header: string | undefined, own: Pick<OwnNames, 'machineName' | 'allowedHosts'>): boolean {
  if (header === undefined || header === '') return true;
  const host = parseHost(header);
  return host !== null && (host.isAddress || isOwnName(host.name, own));
}

/** Whether a page of another site sent the request. choice/box/20, choice/box/200 */
export function isCrossSite(headers: OriginHeaders, own: OwnNames): boolean {
  const origin = headers.origin === undefined ? null : parseOrigin(headers.origin);
  if (origin !== null && isTunnelAddress(origin.host, own)) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false;
  if (origin === null) return true;
  if (targetsOf(headers).some((target) => isSameHost(origin, target))) return false;
  return !(isLoopback(headers.host) && isOwnPage(origin, own));
}

/** The tunnel's address in a request's host; `null` for any other host. choice/box/200 */
export function tunnelHost(headers: OriginHeaders, own: Pick<OwnNames, 'tunnelAddresses'>): string | null {
  const hosts = targetsOf(headers).map((target) => parseHost(target?.trim() ?? ''));
  return hosts.find((host) => host !== null && isTunnelAddress(host, own))?.name ?? null;
}

/** Reads `own.tunnelAddresses` only if needed, because that getter reads a file. */
function isTunnelAddress(host: Host, own: Pick<OwnNames, 'tunnelAddresses'>): boolean {
  if (!host.isAddress || isLoopbackAddress(host.name)) return false;
  const address = plainAddress(host.name);
  return address !== null && own.tunnelAddresses.some((other) => plainAddress(other) === address);
}

function targetsOf(headers: OriginHeaders): (string | undefined)[] {
  return [headers.host, ...(headers['x-forwarded-host']?.split(',') ?? [])];
}

/** Whether the page's origin is the box itself, on a port that installed apps do not have. choice/box/20 */
function isOwnPage({ host, defaultPort }: Origin, own: OwnNames): boolean {
  const port = host.port ?? defaultPort;
  if (port !== defaultPort && port !== String(own.port)) return false;
  return host.isAddress ? own.addresses.includes(host.name) : isOwnName(host.name, own);
}

function isOwnName(name: string, own: Pick<OwnNames, 'machineName' | 'allowedHosts'>): boolean {
  if (!name.includes('.')) return true;
  if (localSuffixes.some((suffix) => name.endsWith(suffix))) return true;
  return [own.machineName, ...own.allowedHosts].some((allowed) => parseHost(allowed)?.name === name);
}

function isSameHost(origin: Origin, target: string | undefined): boolean {
  const host = parseHost(target?.trim() ?? '');
  if (host === null) return false;
  const port = (of: Host) => of.port ?? origin.defaultPort;
  return host.name === origin.host.name && port(host) === port(origin.host);
}

function isLoopback(header: string | undefined): boolean {
  const host = parseHost(header ?? '');
  if (host === null) return false;
  if (host.isAddress) return isLoopbackAddress(host.name);
  return host.name === 'localhost' || host.name.endsWith('.localhost');
}

function parseOrigin(origin: string): Origin | null {
  const [, scheme, rest] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  const host = parseHost(rest ?? '');
  if (scheme === undefined || host === null) return null;
  return { host, defaultPort: scheme.toLowerCase() === 'https' ? '443' : '80' };
}

/** The host of `name`, `name:port` or `[address]:port`, in lower case without a final dot; `null` for other texts. */
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

export function hostName(header: string): string {
  return (parseHost(header)?.name ?? header).slice(0, 253);
}
