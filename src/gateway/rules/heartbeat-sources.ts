/**
 * A box whose disk was copied has two machines with one token. One machine sends a heartbeat a minute, so the same source
 * is not heard twice within 90 s with another one in between: not from a home with two connections, not after a reboot.
 */

/** Where a heartbeat came from: the client's address, and the boot id of its machine if it sends one. */
export type Source = { address: string; boot: string; at: number };

const turnMs = 90_000;
/** Bounds the memory of a box. */
const mostSources = 8;

/**
 * @param heard - the latest heartbeat of each source, oldest first
 * @returns the same with this heartbeat, and the addresses of two sources that are heard in turn; `null` if none are
 */
export function hear(heard: readonly Source[], now: Source): { heard: Source[]; inTurn: string | null } {
  const recent = heard.filter(({ at }) => Math.abs(now.at - at) < turnMs);
  const own = recent.findIndex(({ address, boot }) => address === now.address && boot === now.boot);
  const other = own === -1 ? undefined : recent[own + 1];
  const others = recent.filter((_, index) => index !== own);
  const inTurn = other === undefined ? null : [...new Set([other.address, now.address])].sort().join(' and ');
  return { heard: [...others, now].slice(-mostSources), inTurn };
}
