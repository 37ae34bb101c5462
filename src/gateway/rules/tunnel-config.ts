/** A peer's WireGuard configuration: the text for its box, and the box's address in the tunnel. */
export type TunnelConfig = { config: string; address: string };

/**
 * Parses the tunnel manager's configuration; removes leading blank lines and the mask of the address. `null` if the
 * configuration is incomplete or has no valid peer address. The box validates the form of the keys, because tunnel
 * managers may write them differently.
 * choice/gateway/38
 */
export function parseTunnelConfig(text: string): TunnelConfig | null {
  const config = withoutLeadingBlankLines(text);
  const lines = config.split('\n').map((line) => line.trim());
  const peerAt = lines.indexOf('[Peer]');
  if (lines[0] !== '[Interface]' || peerAt === -1) return null;
  const own = lines.slice(0, peerAt);
  const gateway = lines.slice(peerAt);
  // `Endpoint` is the last line, so a truncated text lacks it.
  const needed = [valuesOf(own, 'PrivateKey'), valuesOf(gateway, 'PublicKey'), valuesOf(gateway, 'Endpoint')];
  if (!needed.every(([value = '', ...more]) => value !== '' && more.length === 0)) return null;
  const address = valuesOf(own, 'Address')
    .map((network) => network.split('/', 1).join())
    .find(isPeerAddress);
  return address === undefined ? null : { config, address };
}

/** The values of a key. A line may contain several, separated by commas. */
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
 * Whether a text is a canonical IPv4 address that another machine can have. A route to the gateway's loopback address
 * would publish the gateway's own ports.
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
