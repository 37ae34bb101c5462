/** Reads parts of a WireGuard configuration of others. Both ends of a tunnel use it. */

import { isIPv4, isIPv6 } from 'node:net';
import { shownName } from '../shown-text.ts';
import { inRanges, isIpAddress } from './ip-ranges.ts';

/** AmneziaWG's own keys, of all its versions. An end that ignores them gets no handshake. */
const amneziaKey = /^[ \t]*(jc|jmin|jmax|itime|[hijs][1-9])[ \t]*=/gim;

/** The names of AmneziaWG's keys in a configuration, each once; empty for plain WireGuard. */
export function amneziaKeys(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(amneziaKey), ([, name = '']) => name))];
}

/**
 * Reads the value of `Endpoint`. An IPv6 address without brackets gets them, unless the text with its port is itself an
 * IPv6 address. `problem` is a phrase that shows the value.
 * @param mayBeLocal - whether an address that only this machine reaches is accepted
 */
export function readEndpoint(text: string, mayBeLocal = false): { endpoint: string } | { problem: string } {
  const colon = text.lastIndexOf(':');
  const [host, port] = [text.slice(0, colon), text.slice(colon + 1)];
  const is = (what: string) => ({ problem: `the Endpoint ${quoted(text)}, ${what}` });
  if (colon === -1) return is('which has no port');
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535)
    return is('which has no port from 1 to 65535');
  if (isIPv6(host) && isIPv6(text)) return is('an IPv6 address without brackets whose port cannot be told apart');
  const bare = host.replace(/^\[(.*)\]$/s, '$1');
  const isAddress = bare === host ? isIPv4(host) || isIPv6(host) : isIPv6(bare);
  if (!isAddress && !isHostName(host)) return is('whose host is neither a name nor an IP address');
  if (!mayBeLocal && isLocal(bare)) return is('which no other machine can reach');
  return { endpoint: isIPv6(bare) ? `[${bare}]:${port}` : text };
}

/** A text of others in quotes, shortened. */
export function quoted(text: string): string {
  return shownName(JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text));
}

/** A last label of digits would make it another notation of an IPv4 address. */
function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.');
  const areLabels = labels.every((label) => /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(label));
  return text.length <= 253 && areLabels && !/^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? '');
}

/** Loopback, unspecified and multicast addresses, and IPv6 link-local ones, which need an interface. */
function isLocal(host: string): boolean {
  const [address = '', zone] = host.split('%');
  if (isIpAddress(address)) return zone !== undefined || isLocalAddress(address);
  return /(?:^|\.)localhost(?:\.localdomain)?\.?$|^ip6-(?:localhost|loopback)$/i.test(host);
}

const isLocalAddress = inRanges('0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8');
