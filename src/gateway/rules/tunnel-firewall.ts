import type { Finding } from './diagnosis.ts';

/**
 * Whether boxes can send more than answers through the tunnel. `missing`: also if nft is missing or fails. `elsewhere`:
 * wg-easy's interface is not in the network of this process. `hidden`: this process may not see the packet filter.
 */
export type FirewallState = 'loaded' | 'missing' | 'hidden' | 'elsewhere';

/** Makes a finding if the rules are missing, and a note if they cannot be seen: then nothing is known to be wrong. */
export function firewallReport(state: FirewallState): { findings: Finding[]; notes: string[] } {
  const findings = state === 'missing' ? [open] : [];
  const notes = state === 'hidden' ? [hidden] : state === 'elsewhere' ? [elsewhere] : [];
  return { findings, notes };
}

const open: Finding = {
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
