import { timingSafeEqual } from 'node:crypto';
import { makeQueue } from '../../../lib/queue.ts';
import type { Box, Route, Store } from '../../ports.ts';
import * as boxes from '../box-operations.ts';
import * as routes from '../route-operations.ts';
import { type Identity, sqlite } from '../schema.ts';
import { type Changing, type Outdated, type Reading, storeMethods } from '../store-methods.ts';
import { makeGroupCommit } from './group-commit.ts';
import { run, type SqliteDatabase } from './sqlite-database.ts';

/** A full cache is emptied. */
const mostTokens = 16_384;
const mostLists = 1_024;

/** A store on a SQLite database of this process alone, whose caches lose outdated entries at each commit. */
export function makeSqliteStore(database: SqliteDatabase, identity: Identity, release: () => void): Store {
  const commits = makeGroupCommit(database);
  const boxOf = new Map<string, Box>();
  const routesOf = new Map<string, readonly Route[]>();
  let isClosed = false;

  function forget({ routesOf: boxIds = [], token = null }: Outdated): void {
    for (const boxId of boxIds) routesOf.delete(boxId);
    if (token !== null) boxOf.delete(toKey(token));
  }

  const changing: Changing = {
    ...readingOf(database),
    change: (operation, outdated = () => ({})) => commits.change(operation(), (result) => forget(outdated(result))),
  };

  return {
    ...storeMethods(changing, identity),
    async boxOfToken(tokenHash) {
      const key = toKey(tokenHash);
      const remembered = boxOf.get(key);
      if (remembered !== undefined) return remembered;
      const known = run(database, boxes.boxOfToken(tokenHash));
      if (known === null || !timingSafeEqual(known.tokenHash, tokenHash)) return null;
      if (boxOf.size >= mostTokens) boxOf.clear();
      boxOf.set(key, known.box);
      return known.box;
    },
    async routesOfBox(boxId) {
      const remembered = routesOf.get(boxId);
      if (remembered !== undefined) return remembered;
      // Without a wait between the query and the entry, so that no commit falls between them.
      const list = Object.freeze(run(database, routes.routesOfBox(boxId)));
      if (routesOf.size >= mostLists) routesOf.clear();
      routesOf.set(boxId, list);
      return list;
    },
    exclusively: makeQueue(),
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

export function readingOf(database: SqliteDatabase): Reading {
  return { dialect: sqlite, read: async (operation) => run(database, operation) };
}

/** A hash as key of a Map, which compares arrays by identity. */
function toKey(hash: Uint8Array): string {
  const bytes = Buffer.isBuffer(hash) ? hash : Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength);
  return bytes.toString('latin1');
}
