import { createPrivateKey, createPublicKey } from 'node:crypto';

const pkcs8Head = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The public key of a WireGuard private key, both in base64. */
export function publicKeyOf(privateKey: string): string {
  const der = Buffer.concat([pkcs8Head, Buffer.from(privateKey, 'base64')]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}
