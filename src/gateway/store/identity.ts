import { randomBytes } from 'node:crypto';
import type { NewIdentity } from './schema.ts';

/** Who a store is, should it be a new one. */
export function newIdentity(): NewIdentity {
  return { id: random('store_'), accountId: random('acc_'), createdAt: Date.now() };
}

function random(prefix: string): string {
  return prefix + randomBytes(10).toString('hex');
}
