import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ReleaseFailed } from './failure.ts';

/** Reads a private Ed25519 key. Error messages never contain it. Throws ReleaseFailed. */
export function readPrivateKey(file: string): KeyObject {
  const way = 'make one with openssl genpkey -algorithm ed25519 -out FILE';
  return readKey(file, createPrivateKey, `a private key in PEM: ${way}`);
}

/** Reads a public Ed25519 key, in the form of `src/box/release-key.pem`. Throws ReleaseFailed. */
export function readPublicKey(file: string): string {
  const way = 'src/box/release-key.pem of the archive is one';
  return publicKeyText(readKey(file, createPublicKey, `a public key in PEM: ${way}`));
}

function readKey(file: string, read: (pem: Buffer) => KeyObject, expected: string): KeyObject {
  let key: KeyObject;
  try {
    key = read(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new ReleaseFailed(`there is no key file ${file}`);
    throw new ReleaseFailed(`${file} cannot be read (${code}), expected ${expected}`);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new ReleaseFailed(`${file} is a key of ${key.asymmetricKeyType}, expected one of ed25519`);
  }
  return key;
}

/** The public half, as PEM: the form of `src/box/release-key.pem`. */
export function publicKeyOf(key: KeyObject): string {
  return publicKeyText(createPublicKey(key));
}

function publicKeyText(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** Base64 of the signature over the bytes of a text. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('base64');
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}
