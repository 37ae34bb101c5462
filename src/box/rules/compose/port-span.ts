/** Ports `from` to `to`. Address `''`: every address; `0.0.0.0`: every IPv4 address; `::`: every IPv6 address. */
export type PortSpan = { protocol: string; address: string; from: number; to: number };

/** Whether two spans conflict: only one program can listen on a port that both contain. */
export function overlap(a: PortSpan, b: PortSpan): boolean {
  if (a.protocol !== b.protocol || a.from > b.to || b.from > a.to) return false;
  const [one, other] = [a.address, b.address];
  if (one === '' || other === '' || one === other) return true;
  return one.includes(':') === other.includes(':') && (isWhole(one) || isWhole(other));
}

function isWhole(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** The normalized spelling of an IP address, IPv4 for an IPv4-mapped one; `null` for any other text. */
export function plainAddress(text: string): string | null {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return text;
  const host = text.includes(':') ? URL.parse(`http://[${text}]/`)?.hostname : undefined;
  if (host === undefined) return null;
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host.slice(1, -1);
  return [high, low].flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]).join('.');
}
