import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** A WireGuard key pair: X25519, base64 of 32 bytes each. */
export type KeyPair = { privateKey: string; publicKey: string };

export function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('x25519');
  const { d = '', x = '' } = pair.privateKey.export({ format: 'jwk' });
  return { privateKey: fromUrlAlphabet(d), publicKey: fromUrlAlphabet(x) };
}

export function newPresharedKey(): string {
  return randomBytes(32).toString('base64');
}

function fromUrlAlphabet(text: string): string {
  return Buffer.from(text, 'base64url').toString('base64');
}
