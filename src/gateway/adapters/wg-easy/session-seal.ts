import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

export type Seal = ReturnType<typeof makeSeal>;

const version = 1;
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + saltBytes + nonceBytes + tagBytes;

/** Node's default cost of scrypt: about 50 ms and 16 MiB, once a process. */
const usualCost = 16_384;

/**
 * Encrypts texts with AES-256-GCM, under a key that scrypt derives from a password. `context` is authenticated but not
 * stored: a text that was sealed in another context does not open.
 * @param cost - of scrypt, a power of two; tests that derive many keys use a smaller one
 */
export function makeSeal(password: string, context: string, cost = usualCost) {
  /** Deriving a key is slow by design, so the last one is cached and its salt is used again. */
  let kept: { salt: Buffer; key: Promise<Buffer> } | null = null;

  function keyFor(salt: Buffer): Promise<Buffer> {
    if (kept === null || !kept.salt.equals(salt)) kept = { salt, key: deriveKey(password, salt, 32, { cost }) };
    return kept.key;
  }

  return {
    async seal(text: string): Promise<Uint8Array> {
      const salt = kept?.salt ?? randomBytes(saltBytes);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', await keyFor(salt), nonce);
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), salt, nonce, cipher.getAuthTag(), sealed]);
    },

    /** `null` if it was sealed with another password or context, or is damaged. */
    async open(bytes: Uint8Array): Promise<string | null> {
      const sealed = Buffer.from(bytes);
      if (sealed.length < headBytes || sealed[0] !== version) return null;
      const salt = sealed.subarray(1, 1 + saltBytes);
      const nonce = sealed.subarray(1 + saltBytes, 1 + saltBytes + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', await keyFor(salt), nonce);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(headBytes - tagBytes, headBytes));
      try {
        return decipher.update(sealed.subarray(headBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null; // The tag is wrong: another password or context, or damaged bytes.
      }
    },
  };
}

const deriveKey: (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt);
