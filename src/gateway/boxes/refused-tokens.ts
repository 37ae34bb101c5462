import type { GatewayPorts } from '../ports.ts';

export type RefusedTokens = ReturnType<typeof makeRefusedTokens>;

const periodMs = 60_000;
const mostAddresses = 1000;
const mostNamed = 3;

/**
 * Writes one line a minute, with the count and the addresses, because anybody can send wrong tokens. The number of
 * addresses in memory is bounded.
 * choice/gateway/330
 */
export function makeRefusedTokens({ pause, warn }: Pick<GatewayPorts, 'pause' | 'warn'>) {
  let refused = 0;
  const addresses = new Set<string>();

  const flush = () => {
    if (refused === 0) return;
    warn(lineOf(refused, [...addresses]));
    refused = 0;
    addresses.clear();
  };

  return {
    /** @param address - the client's */
    count(address: string): void {
      if (refused === 0) void pause(periodMs).then(flush);
      refused += 1;
      if (addresses.size < mostAddresses) addresses.add(address);
    },
    /** Writes the line for the current count; for a shutdown. */
    flush,
  };
}

function lineOf(refused: number, addresses: readonly string[]): string {
  const what = refused === 1 ? '1 registration' : `${refused} registrations`;
  const named = addresses.slice(0, mostNamed).join(', ');
  const more = addresses.length > mostNamed ? ', …' : '';
  const many = `${addresses.length === mostAddresses ? 'at least ' : ''}${addresses.length} addresses`;
  return `${what} with a wrong token in the last minute, from ${addresses.length === 1 ? '' : `${many}: `}${named}${more}`;
}
