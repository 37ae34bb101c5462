import type { Store, StoreView } from '../ports.ts';
import * as boxes from './box-operations.ts';
import * as deletions from './peer-deletion-operations.ts';
import * as routes from './route-operations.ts';
import type { Dialect, Identity } from './schema.ts';
import type { Operation } from './statement.ts';

/** How a database runs operations that only read, each statement by itself. */
export type Reading = {
  dialect: Dialect;
  read<Result>(operation: Operation<Result>): Promise<Result>;
};

/** A store as a whole, for a copy of all its rows. */
export type WholeStore = Reading & {
  transact<Result>(operation: () => Operation<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** How a database runs an operation in a transaction of its own. */
export type Changing = Reading & {
  /** @param outdated - what is outdated as soon as the change is committed */
  change<Result>(operation: () => Operation<Result>, outdated?: (result: Result) => Outdated): Promise<Result>;
};

/** The boxes whose routes or address a change has changed, and the hash of a token that is no longer valid. */
export type Outdated = { routesOf?: readonly string[]; token?: Uint8Array | null };

/** The methods of a store that only read. */
export function readingMethods({ read, dialect }: Reading, { id, accountId }: Identity): Omit<StoreView, 'close'> {
  return {
    id,
    accountId,
    listBoxes: () => read(boxes.listBoxes()),
    heardRemovedBoxes: () => read(boxes.heardRemovedBoxes()),
    routesOfBox: (boxId) => read(routes.routesOfBox(boxId)),
    publishedBoxes: () => routes.publishedBoxes(read),
    duePeers: (now, atMost) => read(deletions.duePeers(now, atMost)),
    readSession: () => read(deletions.readSession()),
    openLoginMs: () => read(deletions.openLoginMs(dialect)),
  };
}

/** The methods of a store that one operation carries out. What is left has another form in each kind of store. */
export function storeMethods(database: Changing, identity: Identity) {
  const { change, dialect } = database;
  return {
    ...readingMethods(database, identity),
    publishedBox: (boxId) => database.read(routes.publishedBox(boxId)),
    insertPendingBox: (box, limit, dueAt) =>
      change(() => boxes.insertPendingBox(identity.accountId, box, limit, dueAt)),
    activateBox: (id, live) =>
      change(
        () => boxes.activateBox(id, live),
        ({ displaced }) => ({ routesOf: displaced }),
      ),
    replaceToken: (boxId, oldHash, newHash) =>
      change(
        () => boxes.replaceToken(boxId, oldHash, newHash),
        () => ({ token: oldHash }),
      ),
    async removeBox(id, dueAt, rememberUntil) {
      const removed = await change(
        () => boxes.removeBox(id, dueAt, rememberUntil),
        (box) => (box === null ? {} : { routesOf: [id], token: box.tokenHash }),
      );
      return removed?.peer ?? null;
    },
    noteRemovedToken: (tokenHash, at) => change(() => boxes.noteRemovedToken(tokenHash, at)),
    touchBoxes: (seen) => change(() => boxes.touchBoxes(seen)),
    noteCopy: (id, copy) => change(() => boxes.noteCopy(id, copy)),
    insertRoute: (route, limit) =>
      change(
        () => routes.insertRoute(route, limit),
        (outcome) => (outcome === 'inserted' ? { routesOf: [route.boxId] } : {}),
      ),
    replaceAccess: (route) =>
      change(
        () => routes.replaceAccess(route),
        (id) => (id === null ? {} : { routesOf: [route.boxId] }),
      ),
    removeRoute: (id, boxId) =>
      change(
        () => routes.removeRoute(id, boxId),
        (subdomain) => (subdomain === null ? {} : { routesOf: [boxId] }),
      ),
    postponePeer: (peerName, dueAt) => change(() => deletions.postponePeer(peerName, dueAt)),
    settlePeer: (peerName) => change(() => deletions.settlePeer(peerName)),
    writeSession: (sealed) => change(() => deletions.writeSession(sealed)),
    noteLogin: (what) => change(() => deletions.noteLogin(dialect, what)),
  } satisfies Partial<Store>;
}
