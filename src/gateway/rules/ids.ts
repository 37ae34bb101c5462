import type { PeerOfBox, PeerState } from '../ports.ts';

/** 32 characters, chosen evenly by five random bits. Lower case only, because DNS and some file systems ignore case. */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Number of random bytes of an id. Each contributes five bits, so that collisions do not occur in practice. */
export const idBytes = 20;

/** An opaque id with a prefix for its kind, safe in URLs and file names. choice/gateway/58 */
export function idOf(kind: 'box' | 'rt' | 'acc' | 'store', random: Uint8Array): string {
  return `${kind}_${Array.from(random, (byte) => alphabet.charAt(byte & 31)).join('')}`;
}

const peerPrefix = 'boxgate-';

/** The name of the box's peer at the tunnel manager. It does not contain the owner's name for the box. choice/gateway/33 */
export function peerNameOf(boxId: string): string {
  return `${peerPrefix}${boxId}`;
}

/** A name that only `peerNameOf` makes. A person may have given it to another peer, so it identifies none. */
export function isPeerName(name: string): boolean {
  return /^boxgate-box_[a-z2-7]{20}$/.test(name);
}

/**
 * Whether a peer of the tunnel manager is that of a box: by its public key, which no other peer can have. A person may rename
 * it, or give its name to another one. The name decides only while the gateway does not know the key.
 */
export function isPeerOf(
  { peerName, peerKey }: PeerOfBox,
  { name, publicKey }: Pick<PeerState, 'name' | 'publicKey'>,
): boolean {
  return peerKey === null || publicKey === null ? name === peerName : publicKey === peerKey;
}

export function boxIdOfPeer(peerName: string): string {
  return peerName.slice(peerPrefix.length);
}
