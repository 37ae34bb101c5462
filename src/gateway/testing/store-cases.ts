import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { LiveBox, NewBox, NewRoute, Store } from '../ports.ts';

/** The promises of every kind of store. Each case gets an empty store. */
export type Obligations = Readonly<Record<string, (store: Store) => Promise<void>>>;

export function box(id: string): NewBox {
  return { id, name: 'attic', peerName: `boxgate-${id}`, createdAt: 5 };
}

/** Activation values that are unique to a box: the hash of its id, and an address that contains it. */
export function live(id: string): LiveBox {
  return { tokenHash: hash(id), peerId: `peer of ${id}`, peerKey: `key of ${id}`, address: `10.8.0.2 of ${id}` };
}

export function route(id: string, boxId: string, subdomain: string): NewRoute {
  return { id, boxId, appName: 'app', subdomain, port: 8_080, createdAt: 5 };
}

export async function addLiveBox(store: Store, id: string, limit = 100): Promise<void> {
  assert.equal(await store.insertPendingBox(box(id), limit, 100), 'inserted');
  assert.equal((await store.activateBox(id, live(id))).isLive, true);
}

/** Limits simultaneous work, because the store has few connections and waits for one only for a limited time. */
export async function inPortions<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const size = 20;
  for (let from = 0; from < items.length; from += size) await Promise.all(items.slice(from, from + size).map(work));
}

export async function idsOfBoxes(store: Store): Promise<string[]> {
  return (await store.listBoxes()).map(({ id }) => id);
}

export async function idsOfRoutes(store: Store, boxId: string): Promise<string[]> {
  return (await store.routesOfBox(boxId)).map(({ id }) => id);
}

export function hash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
