import { isIP } from 'node:net';
import type { Head } from './exchange.ts';

/** The length of the longest IPv6 address, which ends in an IPv4 address. */
const longestAddress = 45;

/**
 * The client's address, for the journal. Behind a proxy on this machine it is the address that the proxy added
 * last to `X-Forwarded-For`. No decision depends on it.
 */
export function clientAddress({ headers, remoteAddress = '' }: Pick<Head, 'headers' | 'remoteAddress'>): string {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (address !== '::1' && !address.startsWith('127.')) return address;
  const forwarded = headers['x-forwarded-for'];
  const last = forwarded === undefined ? '' : String(forwarded).split(',').at(-1)?.trim();
  // The zone after an IPv6 address can be of any length.
  return last === undefined || last.length > longestAddress || isIP(last) === 0 ? address : last;
}
