import { parseJson } from '../../../lib/json.ts';
import { asRecord } from '../compose/fields.ts';
import { isAppName } from './app-name.ts';

/** More stores would make each list slow. */
const mostStores = 100;

/**
 * The folders with the copies of the stores, in their order, from the text of `stores.json`. Only a name that could be
 * an app's directory is one, so that none leads to another place. `null` for a text that is no list.
 */
export function storeCopies(text: string): string[] | null {
  const stores = parseJson(text);
  if (!Array.isArray(stores)) return null;
  const copies = stores.slice(0, mostStores).map((store) => asRecord(store).copy);
  return [...new Set(copies)].filter((copy): copy is string => typeof copy === 'string' && isAppName(copy));
}
