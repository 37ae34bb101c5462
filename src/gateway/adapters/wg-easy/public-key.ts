import { createPrivateKey, createPublicKey } from 'node:crypto';

/** PKCS #8 of an X25519 key, before its 32 bytes. */
const header = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The public key of the peer whose configuration this is, as wg-easy lists it; `null` if the private key has another form. */
export function publicKeyOf(config: string): string | null {
  const [, text = ''] = /^[ \t]*PrivateKey[ \t]*=[ \t]*([A-Za-z0-9+/]{43}=)[ \t\r]*$/m.exec(config) ?? [];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32) return null;
  const key = createPrivateKey({ key: Buffer.concat([header, bytes]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
