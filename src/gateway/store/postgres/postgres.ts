import { randomBytes } from 'node:crypto';
import { type PublishedBox, type Store, StoreFailed, type StoreView } from '../../ports.ts';
import * as boxes from '../box-operations.ts';
import { newIdentity } from '../identity.ts';
import * as ledger from '../ledger-operations.ts';
import { enterChanges, OwnChanges, type Position, readPosition } from '../route-changes.ts';
import * as routes from '../route-operations.ts';
import { type Identity, identify, migrate, postgres } from '../schema.ts';
import { type Operation, query } from '../statement.ts';
import { lockKeys, makeManagerLock } from './manager-lock.ts';
import { makePostgresDatabase, type PostgresDatabase } from './postgres-database.ts';
import { makeMirrorWait } from './processes.ts';
import { channel, RouteFollower } from './route-follower.ts';
import { makeTokenLookups } from './token-lookups.ts';

const oldestVersion = 13;

/** A store on a PostgreSQL server, shared with as many other processes as one likes. */
export async function openPostgresStore(url: string): Promise<Store> {
  const database = makePostgresDatabase(url);
  try {
    const identity = await prepare(database);
    const [position] = await database.ask<Position>(readPosition, []);
    if (position === undefined) throw new StoreFailed('PostgreSQL does not say what it has seen');
    return makePostgresStore(database, identity, position);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Looks at a store without working on it. */
export async function viewPostgresStore(url: string): Promise<StoreView> {
  const database = makePostgresDatabase(url);
  try {
    return makePostgresView(database, await database.transact(() => identify(postgres)));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Migrates on a connection without time limits; who starts meanwhile waits. */
async function prepare(database: PostgresDatabase): Promise<Identity> {
  const session = await database.connect({ lockMs: 0, answerMs: 0 });
  try {
    const [server] = await session.ask<{ version: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
      [],
    );
    if (server === undefined || server.version < oldestVersion) {
      throw new StoreFailed(`PostgreSQL is version ${server?.version}, expected ${oldestVersion} or newer`);
    }
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
  const own = new OwnChanges();
  const managerLock = makeManagerLock(database);
  const ring = makeBell(database);
  let follower: RouteFollower | null = null;
  let closing: Promise<void> | null = null;
  const { transact } = database;

  /** A change of what is published of some boxes is entered in the log, and told to the others. */
  async function changeRoutes<Result>(
    operation: () => Operation<Result>,
    changedBoxes: (result: Result) => readonly string[],
  ): Promise<Result> {
    const { result, transaction } = await transact(function* () {
      const result = yield* operation();
      return { result, transaction: yield* enterChanges(changedBoxes(result), self) };
    });
    if (transaction !== null) {
      own.add(transaction);
      ring();
    }
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
    removeBox: async (id, dueAt) => {
      const change = () => boxes.removeBox(id, dueAt);
      const { removed } = await changeRoutes(change, (result) => (result.removed ? [id] : []));
      return removed;
    },
    touchBoxes: (seen) => transact(() => boxes.touchBoxes(seen)),
    insertRoute: (route, limit) => {
      const change = () => routes.insertRoute(route, limit);
      return changeRoutes(change, (outcome) => (outcome === 'inserted' ? [route.boxId] : []));
    },
    removeRoute: (id, boxId) => {
      const change = () => routes.removeRoute(id, boxId);
      return changeRoutes(change, (removed) => (removed === null ? [] : [boxId]));
    },
    postponePeer: (peerName, dueAt) => transact(() => ledger.postponePeer(peerName, dueAt)),
    settlePeer: (peerName) => transact(() => ledger.settlePeer(peerName)),
    exclusively: managerLock.exclusively,
    writeSession: (sealed) => transact(() => ledger.writeSession(sealed)),
    noteLogin: (what) => transact(() => ledger.noteLogin(postgres, what)),
    async onRoutesChanged(listener) {
      follower = new RouteFollower({ database, self, own, position, listener });
      await follower.start();
    },
    mirroredElsewhere: makeMirrorWait(database, self, own),
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
    routesOfBox: (boxId) => database.read(routes.routesOfBox(boxId)),
    publishedBox: async (boxId) =>
      routes.toPublishedBox(
        boxId,
        await database.read(routes.addressOfBox(boxId)),
        await database.read(routes.routesOfBox(boxId)),
      ),
    publishedBoxes: () => inPortions(database),
    countPublishedBoxes: () => database.read(routes.countPublishedBoxes()),
    duePeers: (now, atMost) => database.read(ledger.duePeers(now, atMost)),
    readSession: () => database.read(ledger.readSession()),
    openLoginMs: () => database.read(ledger.openLoginMs(postgres)),
    close: () => database.close(),
  };
}

async function* inPortions(database: PostgresDatabase): AsyncGenerator<PublishedBox, void> {
  for (let after = ''; ; ) {
    const portion = await database.read(routes.routedBoxesAfter(after));
    yield* routes.published(portion);
    const last = portion.at(-1);
    if (last === undefined) return;
    after = last.boxId;
  }
}

/** Many tokens in one statement: on the way to a server that is what saves time. */
const boxesOfTokens = `SELECT token_hash AS "tokenHash", json_build_object('id', id, 'accountId', account_id) AS box
  FROM boxes WHERE token_hash = ANY($1) AND state = 'active'`;

/**
 * Wakes the others. Beside the transaction and not in it, because a server lets only one transaction at a time commit
 * that notifies; who does not hear it looks by itself soon.
 */
function makeBell(database: PostgresDatabase): () => void {
  let isRinging = false;
  let again = false;

  async function ring(): Promise<void> {
    isRinging = true;
    do {
      again = false;
      await database.ask(`SELECT pg_notify('${channel}', '')`, []).catch(() => undefined);
    } while (again);
    isRinging = false;
  }

  return () => {
    again = true;
    if (!isRinging) void ring();
  };
}
