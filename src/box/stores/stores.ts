import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { Refusal, refuse } from '../api/refusals.ts';
import { faultText } from '../core.ts';
import { type Store, type StoreApp, type StoresBox, StoreUnreadable } from './ports.ts';
import { readStore } from './read-store.ts';
import { isStoreName, readStoreAddress, type StoreAddress, storeNameOf } from './rules/store-address.ts';

/** More stores would make each list slow. */
const mostStores = 20;

/** Adds a store and reads it. Refuses an address or a name that cannot be one, and a store that is there already. */
export async function addStore(box: StoresBox, wanted: { address: string; name: string | null }): Promise<Store> {
  const address = addressOf(wanted.address);
  const name = wanted.name ?? storeNameOf(address);
  if (!isStoreName(name)) {
    const expected = 'expected at most 40 lower-case letters, digits and -';
    refuse('invalidValues', { reason: `this is no name of a store: ${expected}; found ${shownName(name)}` });
  }
  return box.stores.alone(async () => {
    const stores = box.stores.list();
    const same = stores.find((one) => one.name === name || one.address === address.address);
    if (same !== undefined) {
      const reason = `there is a store ${same.name} already, with the address ${shownName(same.address)}`;
      refuse('invalidValues', { reason: same.name === name ? `${reason}; choose another name` : reason });
    }
    if (stores.length >= mostStores) refuse('invalidValues', { reason: `${mostStores} stores are the most` });
    const store = await readStore(box, { name, address }, null).catch(
      ignore(StoreUnreadable, ({ message }) => refuse('storeUnreadable', { store: name, reason: message })),
    );
    await replaceStores(box, [...stores, store]);
    return store;
  });
}

/**
 * Reads one store anew, or all. A store that cannot be read keeps its copy, and its `problem` says why. Returns the
 * stores that were asked for.
 */
export async function updateStores(box: StoresBox, name: string | null): Promise<Store[]> {
  return box.stores.alone(async () => {
    let stores = box.stores.list();
    const wanted = name === null ? stores : [storeOf(stores, name)];
    const updated: Store[] = [];
    for (const store of wanted) {
      const read = await readAnew(box, store, name === null ? store : null);
      stores = stores.map((one) => (one === store ? read : one));
      // After each store, so that the old copy gives its room to the next one.
      await replaceStores(box, stores);
      updated.push(read);
    }
    return updated;
  });
}

/** Removes a store from the offer. Its installed apps stay. */
export async function removeStore(box: StoresBox, name: string): Promise<void> {
  await box.stores.alone(async () => {
    const stores = box.stores.list();
    const store = storeOf(stores, name);
    const left = stores.filter((one) => one !== store);
    await replaceStores(box, left);
  });
}

/** What became of each app of a store. Refuses the name of none. */
export function checkStore(box: Pick<StoresBox, 'stores'>, name: string): StoreApp[] {
  return box.stores.report(storeOf(box.stores.list(), name).copy);
}

/** @param same - the store if its copy stays when nothing has changed; `null` translates it in any case */
async function readAnew(box: StoresBox, store: Store, same: Store | null): Promise<Store> {
  try {
    return await readStore(box, { name: store.name, address: addressOf(store.address) }, same);
  } catch (error) {
    // The other stores are read, whatever the fault of this one.
    const isSentence = error instanceof StoreUnreadable || error instanceof Refusal;
    return { ...store, problem: isSentence ? error.message : faultText(box, error) };
  }
}

/** Nothing installs an app from a copy while it is deleted. */
async function replaceStores(box: StoresBox, stores: readonly Store[]): Promise<void> {
  await box.stores.save(stores);
  await box.changes.run(() => box.stores.sweep());
}

function addressOf(typed: string): StoreAddress {
  const address = readStoreAddress(typed);
  if ('fault' in address) refuse('invalidValues', { reason: `this is no address of a store: ${address.fault}` });
  return address;
}

function storeOf(stores: readonly Store[], name: string): Store {
  const store = stores.find((one) => one.name === name);
  if (store !== undefined) return store;
  const names = stores.length === 0 ? 'there is none' : `the stores are ${stores.map((one) => one.name).join(', ')}`;
  return refuse('invalidValues', { reason: `there is no store ${shownName(name)}: ${names}` });
}
