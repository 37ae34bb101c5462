import { timingSafeEqual } from 'node:crypto';
import { makeQueue } from '../../../lib/queue.ts';
import type { Box, Route, Store, StoreView } from '../../ports.ts';
import { BoundedCache } from '../bounded-cache.ts';
import * as boxes from '../box-operations.ts';
import { newIdentity } from '../new-identity.ts';
import * as deletions from '../peer-deletion-operations.ts';
import * as routes from '../route-operations.ts';
import { type Identity, migrate, sqlite } from '../schema.ts';
import { makeGroupCommit } from './group-commit.ts';
import { inMemory, openSqlite, run, runAlone, type SqliteDatabase } from './sqlite-database.ts';

const rememberedTokens = 16_384;
const rememberedRoutes = 16_384;

/** A store that is not durable. */
export function openMemoryStore(): Store {
  const database = openSqlite(inMemory);
  const identity = migrate(sqlite, () => ({ ...newIdentity(), id: 'memory' }));
  return makeSqliteStore(database, runAlone(database, identity), () => undefined);
}

/**
 * A store on a SQLite database of this process alone. Caches tokens and routes; each change removes outdated entries at
 * its commit.
 */
export function makeSqliteStore(database: SqliteDatabase, identity: Identity, release: () => void): Store {
  const commits = makeGroupCommit(database);
  const exclusively = makeQueue();
  const boxOf = new BoundedCache<string, Box>(rememberedTokens, () => 1);
  const routesOf = new BoundedCache<string, readonly Route[]>(rememberedRoutes, (list) => 1 + list.length);
  const { change } = commits;
  let isClosed = false;

  async function boxOfToken(tokenHash: Uint8Array): Promise<Box | null> {
    const key = toKey(tokenHash);
    const remembered = boxOf.get(key);
    if (remembered !== undefined) return remembered;
    const known = run(database, boxes.boxOfToken(tokenHash));
    if (known === null || !timingSafeEqual(known.tokenHash, tokenHash)) return null;
    boxOf.set(key, known.box);
    return known.box;
  }

  async function routesOfBox(boxId: string): Promise<readonly Route[]> {
    const remembered = routesOf.get(boxId);
    if (remembered !== undefined) return remembered;
    const list = Object.freeze(run(database, routes.routesOfBox(boxId)));
    routesOf.set(boxId, list);
    return list;
  }

  return {
    ...makeSqliteView(database, identity),
    insertPendingBox: (box, limit, dueAt) => change(boxes.insertPendingBox(identity.accountId, box, limit, dueAt)),
    activateBox: (id, live) => change(boxes.activateBox(id, live)),
    boxOfToken,
    replaceToken: (boxId, oldHash, newHash) =>
      change(boxes.replaceToken(boxId, oldHash, newHash), () => boxOf.delete(toKey(oldHash))),
    async removeBox(id, dueAt, rememberUntil) {
      const removed = await change(boxes.removeBox(id, dueAt, rememberUntil), (box) => {
        if (box !== null && box.tokenHash !== null) boxOf.delete(toKey(box.tokenHash));
        routesOf.delete(id);
      });
      return removed?.peer ?? null;
    },
    noteRemovedToken: (tokenHash, at) => change(boxes.noteRemovedToken(tokenHash, at)),
    touchBoxes: (seen) => change(boxes.touchBoxes(seen)),
    noteCopy: (id, copy) => change(boxes.noteCopy(id, copy)),
    insertRoute: (route, limit) => change(routes.insertRoute(route, limit), () => routesOf.delete(route.boxId)),
    replaceAccess: (route) => change(routes.replaceAccess(route), () => routesOf.delete(route.boxId)),
    removeRoute: (id, boxId) => change(routes.removeRoute(id, boxId), () => routesOf.delete(boxId)),
    routesOfBox,
    duePeers: async (now, atMost) => run(database, deletions.duePeers(now, atMost)),
    postponePeer: (peerName, dueAt) => change(deletions.postponePeer(peerName, dueAt)),
    settlePeer: (peerName) => change(deletions.settlePeer(peerName)),
    exclusively,
    writeSession: (sealed) => change(deletions.writeSession(sealed)),
    noteLogin: (what) => change(deletions.noteLogin(sqlite, what)),
    onRoutesChanged: async () => undefined,
    syncedElsewhere: async () => undefined,
    async close() {
      if (isClosed) return;
      isClosed = true;
      commits.flush();
      database.close();
      release();
    },
  };
}

/** The read-only part of a store, without caches: another process may change the store. */
export function makeSqliteView(database: SqliteDatabase, { id, accountId }: Identity): StoreView {
  return {
    id,
    accountId,
    listBoxes: async () => run(database, boxes.listBoxes()),
    heardRemovedBoxes: async () => run(database, boxes.heardRemovedBoxes()),
    routesOfBox: async (boxId) => run(database, routes.routesOfBox(boxId)),
    publishedBox: async (boxId) => run(database, routes.publishedBox(boxId)),
    publishedBoxes: () => routes.publishedBoxes((operation) => run(database, operation)),
    countPublishedBoxes: async () => run(database, routes.countPublishedBoxes()),
    duePeers: async (now, atMost) => run(database, deletions.duePeers(now, atMost)),
    readSession: async () => run(database, deletions.readSession()),
    openLoginMs: async () => run(database, deletions.openLoginMs(sqlite)),
    close: async () => database.close(),
  };
}

/** A hash as key of a Map, which compares arrays by identity. */
function toKey(hash: Uint8Array): string {
  const bytes = Buffer.isBuffer(hash) ? hash : Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength);
  return bytes.toString('latin1');
}
