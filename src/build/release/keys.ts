import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ReleaseFailed } from './failure.ts';

/** Reads a private Ed25519 key. The key itself is in no message. Throws ReleaseFailed. */
export function readPrivateKey(file: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ReleaseFailed(`there is no key file ${file}`);
    throw new ReleaseFailed(
      `${file} is not a private key in PEM that can be read (${code}): make one with openssl genpkey -algorithm ed25519 -out FILE`,
    );
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new ReleaseFailed(`${file} is a key of ${key.asymmetricKeyType}, expected one of ed25519`);
  }
  return key;
}

/** The public half, as PEM: the form of `src/box/release-key.pem`. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}

/** Base64 of the signature over the bytes of a text. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('base64');
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}
