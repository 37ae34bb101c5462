/** A peer's WireGuard configuration: the text that its box gets, and the address inside the tunnel that it names. */
export type TunnelConfig = { config: string; address: string };

/**
 * The configuration as the tunnel manager gave it, without leading blank lines, and its IPv4 without mask; null when
 * the text is no whole configuration of a peer or names no address that a peer can have. The form of keys is its box's
 * to judge: other managers than the usual one may write them in another way.
 * choice/gateway/38
 */
export function parseTunnelConfig(text: string): TunnelConfig | null {
  const config = withoutLeadingBlankLines(text);
  const lines = config.split('\n').map((line) => line.trim());
  const peerAt = lines.indexOf('[Peer]');
  if (lines[0] !== '[Interface]' || peerAt === -1) return null;
  const own = lines.slice(0, peerAt);
  const gateway = lines.slice(peerAt);
  // The end of the peer is the last line, so that a text that was cut short is none.
  const needed = [valuesOf(own, 'PrivateKey'), valuesOf(gateway, 'PublicKey'), valuesOf(gateway, 'Endpoint')];
  if (!needed.every(([value = '', ...more]) => value !== '' && more.length === 0)) return null;
  const address = valuesOf(own, 'Address')
    .map((network) => network.split('/', 1).join())
    .find(isPeerAddress);
  return address === undefined ? null : { config, address };
}

/** The values of a key; one line may hold several, between commas. */
function valuesOf(lines: readonly string[], key: string): string[] {
  return lines.flatMap((line) => {
    const [name = '', ...rest] = line.split('=');
    if (name.trim() !== key) return [];
    return rest
      .join('=')
      .split(',')
      .map((value) => value.trim());
  });
}

function withoutLeadingBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '');
}

/**
 * Whether a text is an IPv4 in its only exact spelling, and one that another machine can have: a route file that
 * named the gateway's own loopback address would publish what listens there.
 */
export function isPeerAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every(isOctet)) return false;
  const first = Number(parts[0]);
  return first > 0 && first < 224 && first !== 127;
}

function isOctet(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= 255;
}
