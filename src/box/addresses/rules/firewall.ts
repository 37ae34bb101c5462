/**
 * The packet filter of the box's end of the tunnel, as text for `nft -f -`.
 *
 * Without it, everything that listens on all addresses of the box (SSH, the box's own page) is open to the gateway. The
 * chain runs after connection tracking (priority -200) and before destination NAT (-100), so it sees the port that
 * the gateway requested, both for programs on the box and for containers behind Docker's NAT.
 */

export type TunnelEnds = { box: string; gateway: string };

/** Name of the interface that `wg-quick` creates for `tunnel.conf`. */
export const tunnelInterface = 'tunnel';

const table = 'inet boxgate_tunnel';
const chain = 'from_gateway';

/**
 * A transaction that makes the table, or replaces it as a whole.
 * A packet of a connection that the gateway opened passes only while its port is published, so that an unpublished port
 * closes for open connections too. The box's address is compared because the box may forward packets to its network.
 * A container knows the MTU of its own network only, so the packets name the largest segment that the tunnel takes.
 * @param published - the ports, and the name of their set: one for each registration, so that none changes another's
 */
export function firewallRules(
  { box, gateway }: TunnelEnds,
  { set, ports }: { set: string; ports: readonly number[] },
): string {
  return `add table ${table}
delete table ${table}
table ${table} {
  set ${set} {
    type inet_service
  }
  chain ${chain} {
    type filter hook prerouting priority -150; policy accept;
    iifname != "${tunnelInterface}" accept
    ct state established ct direction reply accept
    meta l4proto icmp ct state related accept
    ip saddr ${gateway} ip daddr ${box} tcp dport @${set} accept
    drop
  }
  chain to_gateway {
    type filter hook postrouting priority mangle; policy accept;
    oifname "${tunnelInterface}" tcp flags syn tcp option maxseg size set rt mtu
  }
}
${addPorts(set, ports)}`;
}

/** A transaction that replaces the published ports; it fails if there is no table with that set. */
export function publishedPorts(set: string, ports: readonly number[]): string {
  return `flush set ${table} ${set}\n${addPorts(set, ports)}`;
}

/** A transaction that removes the table; it fails if the table does not have that set. */
export function tableRemoved(set: string): string {
  return `${publishedPorts(set, [])}delete table ${table}\n`;
}

/** Prints the chain; it fails if there is no table with that set. */
export function lookForRules(set: string): string {
  return `list set ${table} ${set}\nlist chain ${table} ${chain}\n`;
}

/** Whether nft printed the rule that closes the chain. A flush of the table leaves the chain and the set, both empty. */
export function hasRules(printed: string): boolean {
  return /^[\t ]*drop$/m.test(printed);
}

function addPorts(set: string, ports: readonly number[]): string {
  const distinct = [...new Set(ports)].sort((a, b) => a - b);
  return distinct.length === 0 ? '' : `add element ${table} ${set} { ${distinct.join(', ')} }\n`;
}

const publicKeyLine = /^PublicKey = (\S+)$/m;

/** The public key of the gateway, from a configuration that `boxConfig` wrote; empty if the text was edited. */
export function gatewayKey(config: string): string {
  return publicKeyLine.exec(config)?.[1] ?? '';
}

const addressLine = /^Address = (\d{1,3}(?:\.\d{1,3}){3})\/32$/m;
const allowedLine = /^AllowedIPs = (\d{1,3}(?:\.\d{1,3}){3})\/32$/m;

/** Both addresses, from a configuration that `boxConfig` wrote; `null` if the text was edited. */
export function tunnelEnds(config: string): TunnelEnds | null {
  const box = addressLine.exec(config)?.[1];
  const gateway = allowedLine.exec(config)?.[1];
  return box === undefined || gateway === undefined ? null : { box, gateway };
}
