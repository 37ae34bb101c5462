import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { boxTokenOf } from './rules/box-token.ts';
import { idBytes, idOf } from './rules/ids.ts';

/** choice/gateway/58 */
export function newBoxToken(): string {
  return boxTokenOf(randomBytes(32).toString('base64url'));
}

export function newId(kind: Parameters<typeof idOf>[0]): string {
  return idOf(kind, randomBytes(idBytes));
}

/** SHA-256 of a token. */
export function hashOf(token: string): Buffer {
  // Costs half of the output as a buffer, which Node does not take from its pool.
  return Buffer.from(hash('sha256', token, 'binary'), 'latin1');
}

/** Compares in constant time. `timingSafeEqual` needs equal lengths; comparing hashes also hides the lengths. */
export function areEqual(left: string, right: string): boolean {
  return timingSafeEqual(hashOf(left), hashOf(right));
}
