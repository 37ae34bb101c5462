/** 32 characters, so that five bits of a random byte choose one evenly; none that a file system or a DNS name folds. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** How many random bytes an id is made of. Each gives five bits: two of 2^50 ids are never the same in practice. */
export const idBytes = 20;

/**
 * An opaque id, lower case and safe in addresses and file names, with a prefix by kind.
 * choice/gateway/39
 */
export function idOf(kind: 'box' | 'rt' | 'acc' | 'store', random: Uint8Array): string {
  return `${kind}_${Array.from(random, (byte) => alphabet.charAt(byte & 31)).join('')}`;
}

const peerPrefix = 'boxgate-';

/** The name under which the tunnel manager knows the box's peer; the owner's own name goes nowhere. choice/gateway/33 */
export function peerNameOf(boxId: string): string {
  return `${peerPrefix}${boxId}`;
}

/** The box that a peer was made for. */
export function boxIdOfPeer(peerName: string): string {
  return peerName.slice(peerPrefix.length);
}
