/** Networks that the box reaches without the tunnel. The tunnel must not take over their traffic. */

import { isJsonObject } from '../../../lib/json.ts';
import { tunnelInterface } from './firewall.ts';

/** `prefix` is in bits; `of` describes the network in messages. */
export type OwnNetwork = { address: string; prefix: number; of: string };

/** Facts observed on the box: addresses of interfaces, `/proc/net/route`, and addresses of name servers. */
export type NetworkFacts = {
  interfaces: readonly { name: string; address: string; prefix: number }[];
  routes: string;
  resolvers: readonly string[];
};

/** The kernel's answer for one address. `firstTable`: a routing table that comes before the main one; `null` if none does. */
export type KernelRoute = { dev: string; firstTable: string | null };

/** A route to a larger network, such as the default route, does not count. */
const shortestPrefix = 8;

/** The interface of the tunnel is left out: a box may join again while it is up. */
export function ownNetworks({ interfaces, routes, resolvers }: NetworkFacts): OwnNetwork[] {
  return [
    ...interfaces.map((one) => ({ ...one, of: `the interface ${one.name}` })),
    ...routes.split('\n').slice(1).flatMap(routeNetworks),
  ]
    .filter(({ name, prefix }) => name !== tunnelInterface && prefix >= shortestPrefix)
    .map(({ address, prefix, of }) => ({ address, prefix, of }))
    .concat(resolvers.map((address) => ({ address, prefix: 32, of: 'a name server of this box' })));
}

/** A line of `/proc/net/route`: interface, destination, gateway, flags, three counters, mask; numbers in hexadecimal. */
function routeNetworks(line: string) {
  const [name = '', destination = '', router = '', , , , , mask = ''] = line.split(/\s+/);
  const isRoute = [destination, router, mask].every((field) => /^[0-9A-F]{8}$/.test(field));
  if (!isRoute) return [];
  const prefix = Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length;
  const network = { name, address: dotted(destination), prefix, of: `a route through ${name}` };
  const hop = { name, address: dotted(router), prefix: 32, of: `the router behind ${name}` };
  return router === '00000000' ? [network] : [network, hop];
}

/** The kernel prints the bytes of an address in memory order, which is little-endian on the supported machines. */
function dotted(hex: string): string {
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');
}

/** Finds one of the box's own networks that has an address in common with a network of the tunnel. */
export function overlapping(tunnel: readonly string[], own: readonly OwnNetwork[]): OwnNetwork | undefined {
  const networks = tunnel.flatMap((text) => parseNetwork(text) ?? []);
  return own.find(({ address, prefix: ofOwn }) =>
    networks.some(({ ip, prefix: ofTunnel }) => {
      const prefix = Math.min(ofOwn, ofTunnel);
      return networkOf(ip, prefix) === networkOf(ipv4Of(address), prefix);
    }),
  );
}

export type Ipv4Network = { ip: number; prefix: number };

/** An IPv4 address with or without `/prefix`; `null` if it is none. */
export function parseNetwork(text: string): Ipv4Network | null {
  const [, dotted, prefix = '32'] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  if (dotted === undefined || Number(prefix) > 32) return null;
  return { ip: ipv4Of(dotted), prefix: Number(prefix) };
}

/** The first address of the network. */
export function networkOf(ip: number, prefix: number): number {
  return ip - (ip % 2 ** (32 - prefix));
}

function ipv4Of(dotted: string): number {
  return dotted.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/**
 * The routing table of a route, if a rule asks it before the main table, where the tunnel's route is; else `null`. A rule
 * for the main table that leaves out short prefixes, as full tunnels of WireGuard have, counts: the tunnel's is the longest.
 * @param table - as `ip -j route get` shows it: absent for the main table
 * @param rules - as `ip -j rule` shows them
 */
export function firstTable(table: unknown, rules: unknown): string | null {
  if (typeof table !== 'string' || !Array.isArray(rules)) return null;
  const asked = rules.find(
    (rule) => isJsonObject(rule) && (rule.table === table || (rule.table === 'main' && isForAll(rule))),
  );
  return isJsonObject(asked) && asked.table === table ? table : null;
}

/** Whether a rule of the main table is about every packet. */
function isForAll(rule: Record<string, unknown>): boolean {
  const known = ['priority', 'src', 'table', 'suppress_prefixlen', 'protocol'];
  return rule.src === 'all' && Object.keys(rule).every((key) => known.includes(key));
}
