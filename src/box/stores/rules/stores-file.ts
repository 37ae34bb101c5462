import { isJsonObject } from '../../../lib/json.ts';
import type { Store } from './store.ts';
import { isStoreName } from './store-address.ts';

/** The stores of `stores.json`, without entries that cannot be one. */
export function parseStores(value: unknown): Store[] {
  return Array.isArray(value) ? value.filter(isStore) : [];
}

/** About a file that is not one, after its path. */
export const noList = 'is not a list of stores: mend it, or delete it and add the stores again';

function isStore(value: unknown): value is Store {
  if (!isJsonObject(value)) return false;
  const { name, copy, offered, leftOut, problem } = value;
  if (typeof name !== 'string' || !isStoreName(name)) return false;
  // A copy is a folder's name, never a path.
  if (typeof copy !== 'string' || !/^[a-z0-9-]+\.\w+$/.test(copy)) return false;
  const texts = [value.address, value.revision, value.readAt];
  const areTexts = texts.every((text) => typeof text === 'string') && (problem === null || typeof problem === 'string');
  return areTexts && Number.isSafeInteger(offered) && Number.isSafeInteger(leftOut);
}
