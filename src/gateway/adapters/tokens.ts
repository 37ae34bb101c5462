import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tokens } from '../ports.ts';
import { boxTokenOf } from '../rules/box-token.ts';
import { idBytes, idOf } from '../rules/ids.ts';

/** Random tokens and digests by node:crypto. choice/gateway/58 */
export function makeTokens(): Tokens {
  return {
    newBoxToken: () => boxTokenOf(randomBytes(32).toString('base64url')),
    newId: (kind) => idOf(kind, randomBytes(idBytes)),
    hash: sha256,
    // `timingSafeEqual` needs equal lengths. Comparing hashes also hides the lengths.
    areEqual: (left, right) => timingSafeEqual(sha256(left), sha256(right)),
  };
}

function sha256(text: string): Buffer {
  // Costs half of the output as a buffer, which Node does not take from its pool.
  return Buffer.from(hash('sha256', text, 'binary'), 'latin1');
}
