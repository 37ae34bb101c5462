import { type Ipv4Network, networkOf, parseNetwork } from './own-networks.ts';

/** wg-easy's default network is a /24. */
const defaultPrefix = 24;

export type GatewayEnd = { address: string; isAssumed: boolean };

/** Longer prefixes have no room for both ends. */
const longestPrefix = 30;

/**
 * The address of the gateway's end of the tunnel. wg-easy gives itself the first address of its network, which is
 * found in the mask of `Address` (wg-easy 14), else in `AllowedIPs` (if narrowed), else it is wg-easy's default.
 * @param address - the box's own address, an IPv4 address with or without `/prefix`
 * @param allowedIps - the value of `AllowedIPs`; only a network of at most 256 addresses that contains the box's is used:
 * a larger one may be all that the operator wants routed
 * @returns `null` if the network has no address for the gateway; `isAssumed` if the configuration names no network
 */
export function gatewayAddress(address: string, allowedIps = ''): GatewayEnd | null {
  const own = parseNetwork(address);
  if (own === null) return null;
  const allowed = allowedIps
    .split(',')
    .map((entry) => parseNetwork(entry.trim()))
    .find((entry) => entry !== null && isTunnelNetwork(entry, own.ip));
  const prefix = own.prefix < 32 ? own.prefix : (allowed?.prefix ?? defaultPrefix);
  const first = networkOf(own.ip, prefix) + 1;
  if (prefix > longestPrefix || first === own.ip) return null;
  return { address: textOf(first), isAssumed: own.prefix === 32 && allowed === undefined };
}

function isTunnelNetwork({ ip, prefix }: Ipv4Network, own: number): boolean {
  const isSize = prefix >= defaultPrefix && prefix <= longestPrefix;
  return isSize && networkOf(ip, prefix) === networkOf(own, prefix);
}

function textOf(ip: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(ip / 2 ** shift) % 256).join('.');
}
