import type { Finding } from './diagnosis.ts';

/**
 * State of the packet filter that limits boxes to responses. `missing`: the rules are not loaded, or nft is missing or
 * fails. `elsewhere`: wg-easy's interface is in another network namespace. `hidden`: this process may not read the rules.
 */
export type FirewallState = 'loaded' | 'missing' | 'hidden' | 'elsewhere';

/** A finding if the rules are missing, a note if they cannot be checked. */
export function firewallReport(state: FirewallState): { findings: Finding[]; notes: string[] } {
  const findings = state === 'missing' ? [open] : [];
  const notes = state === 'hidden' ? [hidden] : state === 'elsewhere' ? [elsewhere] : [];
  return { findings, notes };
}

const open: Finding = {
  topic: 'packet filter',
  about: 'the packet filter of wg0',
  text:
    "boxes reach this server's private network, each other, and the internet under its address: " +
    'load deploy/gateway/firewall.nft with `systemctl enable --now boxgate-gateway-firewall`, ' +
    'which needs the package nftables, or with the service firewall of the Compose project',
};

const hidden =
  'the packet filter of wg0 is for root to see: `nft list table inet boxgate_gateway` must show it; ' +
  'with Compose, `docker compose ps` shows the service firewall as healthy';

const elsewhere =
  'there is no wg0 in the network of this command: where it is, `nft list table inet boxgate_gateway` must show the ' +
  'packet filter that deploy/gateway/firewall.nft loads';
