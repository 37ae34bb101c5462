import { ignore } from '../../lib/ignore.ts';
import { StorageFailed, type Subject } from '../core.ts';
import { type Finding, ok, problem } from '../rules/findings/finding.ts';
import type { Store, StoresBox } from './ports.ts';

export function storesSubject(box: StoresBox): Subject {
  return {
    async rooms(of) {
      const { storeRoom, storesRoom } = await import('./room.ts');
      return [storesRoom({ ...box, ...of }), storeRoom({ ...box, ...of })];
    },
    examine: async () => box.stores.list().map(judgeStore),
    beforeLook: () =>
      readAll(box).catch(ignore(StorageFailed, ({ message: reason }) => [{ what: 'the list of stores', reason }])),
  };
}

/** Reads all stores; the result says which cannot be read, and why. */
async function readAll(box: StoresBox): Promise<{ what: string; reason: string }[]> {
  if (box.stores.list().length === 0) return [];
  const { updateStores } = await import('./stores.ts');
  const stores = await updateStores(box, null);
  return stores.flatMap(({ name, problem: reason }) => (reason === null ? [] : [{ what: `store ${name}`, reason }]));
}

function judgeStore({ name, problem: failure, offered, readAt }: Store): Finding {
  if (failure === null) return ok('store', `${name} was read at ${readAt}, apps offered: ${offered}`);
  const todo = 'try boxgate box store update, or remove the store if it is gone';
  return problem('store', `${name} cannot be read: ${failure}; its apps are those of ${readAt}; ${todo}`);
}
