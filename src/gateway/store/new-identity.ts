import { randomBytes } from 'node:crypto';
import { idBytes, idOf } from '../rules/ids.ts';
import type { NewIdentity } from './schema.ts';

export function newIdentity(): NewIdentity {
  return { id: newId('store'), accountId: newId('acc'), createdAt: Date.now() };
}

function newId(kind: 'store' | 'acc'): string {
  return idOf(kind, randomBytes(idBytes));
}
