export type TunnelState = {
  /** `dead`: the interface exists, but no data arrives through it. */
  tunnel: 'up' | 'dead' | 'down' | 'unknown';
  /** `null` if the tunnel is up behind its packet filter. */
  problem: string | null;
};

type Seen = {
  answered: boolean;
  handshakeAt: Date | null;
  isFiltered: boolean;
  /** Where the tunnel's packets are sent. */
  endpoint: string;
  /** The interface through which the kernel sends packets for the gateway's end, if it is not the tunnel's. */
  otherWay: string | null;
};

/**
 * @param seen - `null` if no interface has the box's address; `failure`: what a tool said that could not look
 * @param isUnknown - whether the gateway refuses the box's token: no restart helps then
 */
export function tunnelState(
  seen: Seen | { failure: string } | null,
  { configFile, now, isUnknown = false }: { configFile: string; now: Date; isUnknown?: boolean },
): TunnelState {
  if (seen === null) {
    return {
      tunnel: 'down',
      problem: `bring it up with \`systemctl enable --now boxgate-tunnel.service\` or \`boxgate tunnel firewall && wg-quick up ${configFile}\``,
    };
  }
  if ('failure' in seen) {
    return { tunnel: 'unknown', problem: `it cannot be looked at (${seen.failure}). ${adviceFor(seen.failure)}` };
  }
  if (seen.answered) {
    const open =
      'its packet filter is not loaded, so the gateway reaches every port of this box. Restart it with `systemctl restart boxgate-tunnel.service`';
    return { tunnel: 'up', problem: seen.isFiltered ? null : open };
  }
  if (isUnknown) return { tunnel: 'dead', problem: 'the gateway does not know this box any more' };
  return {
    tunnel: 'dead',
    problem: `${whyDead(seen, now)}. Restart it with \`systemctl restart boxgate-tunnel.service\`; if that does not help, ask the gateway's operator`,
  };
}

function whyDead({ handshakeAt, endpoint, otherWay }: Seen, now: Date): string {
  if (otherWay !== null) return `packets for the gateway's end leave through ${otherWay}, not through the tunnel`;
  if (handshakeAt !== null) {
    return `the gateway does not answer at ${endpoint}; the last handshake was ${age(handshakeAt, now)}`;
  }
  return `the gateway answers no handshake at ${endpoint}: it may be off, its UDP port closed, or this box unknown to it`;
}

/** @param failure - what `wg` or the system said */
function adviceFor(failure: string): string {
  if (/not permitted|permission denied/i.test(failure)) return 'Only root may look at it: use sudo';
  if (/command not found/.test(failure)) return 'Install the package wireguard-tools';
  return 'Restart it with `systemctl restart boxgate-tunnel.service`';
}

/** The time since `then` as text, in a suitable unit. */
export function age(then: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - then.getTime()) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min ago`;
  return `${Math.round(seconds / 3600)} h ago`;
}
