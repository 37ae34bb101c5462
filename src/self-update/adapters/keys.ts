import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readTextIfThere } from '../../lib/files/read-file.ts';
import type { Keys } from '../ports.ts';
import { fail, type Service, settingOf } from '../rules/update-failed.ts';

const maxKeyBytes = 4096;
const signatureBytes = 64;

/** The public key in a PEM file, and Ed25519 signatures. choice/box/139 */
export function makeKeys(path: string, service: Service): Keys {
  return {
    async trusted() {
      const pem = read(path);
      if (publicKey(pem) !== null) return pem;
      const setting = settingOf(service, 'RELEASE_KEY');
      fail(`${path} is not an Ed25519 public key in PEM form; it is the key that signs releases, ${setting}`);
    },
    isSigned(pem, text, signature) {
      const key = publicKey(pem);
      const bytes = Buffer.from(signature, 'base64');
      return key !== null && bytes.length === signatureBytes && verify(null, Buffer.from(text), key, bytes);
    },
  };
}

function read(path: string): string {
  let text: string | null;
  try {
    text = readTextIfThere(path, maxKeyBytes);
  } catch (error) {
    failAsUnreadable(path, (error as Error).message, error);
  }
  if (text === null) failAsUnreadable(path, 'there is no such file');
  return text;
}

function failAsUnreadable(path: string, problem: string, cause?: unknown): never {
  fail(`the key that signs releases, ${path}, cannot be read: ${problem}`, cause);
}

function publicKey(pem: string): KeyObject | null {
  // OpenSSL derives a public key from a private one and from a certificate as well.
  if (!/^\s*-----BEGIN PUBLIC KEY-----\r?\n/.test(pem)) return null;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null; // OpenSSL reports an invalid key only by throwing.
  }
}
