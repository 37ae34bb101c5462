import { randomBytes } from 'node:crypto';
import { type Store, StoreFailed, type StoreView } from '../../ports.ts';
import * as boxes from '../box-operations.ts';
import { newIdentity } from '../new-identity.ts';
import * as deletions from '../peer-deletion-operations.ts';
import * as routes from '../route-operations.ts';
import { type Identity, identify, migrate, postgres } from '../schema.ts';
import { type Operation, query } from '../statement.ts';
import { lockKeys, makeManagerLock } from './manager-lock.ts';
import { checkPooler } from './pooler.ts';
import { makePostgresDatabase, type PostgresDatabase, type Session } from './postgres-database.ts';
import { keepGatewaysOut, makeSyncWait } from './processes.ts';
import { OwnRevisions, type Position, raiseRevision, readPosition } from './revisions.ts';
import { followRoutes } from './route-follower.ts';
import { makeTokenLookups } from './token-lookups.ts';

const oldestVersion = 13;

/** A store on a PostgreSQL server that any number of processes share. */
export async function openPostgresStore(url: string): Promise<Store> {
  const database = makePostgresDatabase(url);
  try {
    await checkPooler(database);
    const identity = await prepare(database);
    const [position] = await database.ask<Position>(readPosition, []);
    if (position === undefined) throw new StoreFailed('PostgreSQL has no revision of the routes');
    return makePostgresStore(database, identity, position);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** For commands that only read. */
export async function viewPostgresStore(url: string): Promise<StoreView> {
  const database = makePostgresDatabase(url);
  try {
    return makePostgresView(database, await database.transact(() => identify(postgres)));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A connection without time limits. While an idle store is open, no gateway starts on it. */
export async function openWholePostgres(
  url: string,
  use: 'shared' | 'idle',
): Promise<Pick<Session, 'transact'> & { close(): Promise<void> }> {
  const database = makePostgresDatabase(url);
  let session: Session | undefined;
  const close = async () => {
    await session?.end();
    await database.close();
  };
  try {
    await checkPooler(database);
    session = await database.connect({ lockMs: 0, answerMs: 0 });
    await checkServer(session);
    if (use === 'idle') await keepGatewaysOut(session);
    return { transact: session.transact, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws StoreFailed for a version or an encoding that cannot hold the store. */
async function checkServer({ ask }: Session): Promise<void> {
  const [server] = await ask<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding`,
    [],
  );
  if (server === undefined || server.version < oldestVersion) {
    throw new StoreFailed(`PostgreSQL is version ${server?.version}, expected ${oldestVersion} or newer`);
  }
  if (!['UTF8', 'SQL_ASCII'].includes(server.encoding)) {
    throw new StoreFailed(
      `the database of the store has the encoding ${server.encoding}, which cannot hold every name: ` +
        "make one by CREATE DATABASE boxgate TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'",
    );
  }
}

/** Migrates on a connection without time limits. Other processes that start meanwhile wait. */
async function prepare(database: PostgresDatabase): Promise<Identity> {
  const session = await database.connect({ lockMs: 0, answerMs: 0 });
  try {
    await checkServer(session);
    return await session.transact(function* () {
      yield* query('SELECT pg_advisory_xact_lock($1, $2)', lockKeys.ours, lockKeys.migrate);
      return yield* migrate(postgres, newIdentity);
    });
  } finally {
    await session.end();
  }
}

function makePostgresStore(database: PostgresDatabase, identity: Identity, position: Position): Store {
  const self = `process_${randomBytes(10).toString('hex')}`;
  const own = new OwnRevisions();
  const managerLock = makeManagerLock(database);
  let follower: { close(): Promise<void> } | null = null;
  let closing: Promise<void> | null = null;
  const { transact } = database;

  /** Runs an operation that changes the route files of some boxes, and raises the revision in its transaction. */
  async function changeRoutes<Result>(
    operation: () => Operation<Result>,
    changedBoxes: (result: Result) => readonly string[],
  ): Promise<Result> {
    const { result, revision } = await transact(function* () {
      const result = yield* operation();
      return { result, revision: yield* raiseRevision(changedBoxes(result)) };
    });
    if (revision !== null) own.add(revision);
    return result;
  }

  async function closeAll(): Promise<void> {
    await follower?.close();
    await managerLock.close();
    await database.close();
  }

  return {
    ...makePostgresView(database, identity),
    insertPendingBox: (box, limit, dueAt) =>
      transact(() => boxes.insertPendingBox(identity.accountId, box, limit, dueAt)),
    activateBox: (id, live) =>
      changeRoutes(
        () => boxes.activateBox(id, live),
        ({ displaced }) => displaced,
      ),
    boxOfToken: makeTokenLookups((hashes) => database.ask(boxesOfTokens, [hashes])),
    replaceToken: (boxId, oldHash, newHash) => transact(() => boxes.replaceToken(boxId, oldHash, newHash)),
    removeBox: async (id, dueAt, rememberUntil) => {
      const change = () => boxes.removeBox(id, dueAt, rememberUntil);
      const removed = await changeRoutes(change, (box) => (box === null ? [] : [id]));
      return removed?.peer ?? null;
    },
    noteRemovedToken: (tokenHash, at) => transact(() => boxes.noteRemovedToken(tokenHash, at)),
    touchBoxes: (seen) => transact(() => boxes.touchBoxes(seen)),
    noteCopy: (id, copy) => transact(() => boxes.noteCopy(id, copy)),
    insertRoute: (route, limit) => {
      const change = () => routes.insertRoute(route, limit);
      return changeRoutes(change, (outcome) => (outcome === 'inserted' ? [route.boxId] : []));
    },
    replaceAccess: (route) => {
      const change = () => routes.replaceAccess(route);
      return changeRoutes(change, (replaced) => (replaced === null ? [] : [route.boxId]));
    },
    removeRoute: (id, boxId) => {
      const change = () => routes.removeRoute(id, boxId);
      return changeRoutes(change, (removed) => (removed === null ? [] : [boxId]));
    },
    postponePeer: (peerName, dueAt) => transact(() => deletions.postponePeer(peerName, dueAt)),
    settlePeer: (peerName) => transact(() => deletions.settlePeer(peerName)),
    exclusively: managerLock.exclusively,
    writeSession: (sealed) => transact(() => deletions.writeSession(sealed)),
    noteLogin: (what) => transact(() => deletions.noteLogin(postgres, what)),
    async onRoutesChanged(listener) {
      follower = await followRoutes({ database, self, own, from: position, listener });
    },
    syncedElsewhere: makeSyncWait(database, self, own),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function makePostgresView(database: PostgresDatabase, { id, accountId }: Identity): StoreView {
  return {
    id,
    accountId,
    listBoxes: () => database.read(boxes.listBoxes()),
    heardRemovedBoxes: () => database.read(boxes.heardRemovedBoxes()),
    routesOfBox: (boxId) => database.read(routes.routesOfBox(boxId)),
    publishedBox: (boxId) => database.read(routes.publishedBox(boxId)),
    publishedBoxes: () => routes.publishedBoxes(database.read),
    countPublishedBoxes: () => database.read(routes.countPublishedBoxes()),
    duePeers: (now, atMost) => database.read(deletions.duePeers(now, atMost)),
    readSession: () => database.read(deletions.readSession()),
    openLoginMs: () => database.read(deletions.openLoginMs(postgres)),
    close: () => database.close(),
  };
}

/** Many tokens in one statement save round trips to the server. */
const boxesOfTokens = `SELECT token_hash AS "tokenHash", json_build_object('id', id, 'accountId', account_id) AS box
  FROM boxes WHERE token_hash = ANY($1) AND state = 'active'`;
