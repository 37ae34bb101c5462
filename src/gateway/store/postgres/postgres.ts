import { randomBytes } from 'node:crypto';
import { type Store, StoreFailed } from '../../ports.ts';
import { type Identity, migrate, postgres } from '../schema.ts';
import { query, sql } from '../statement.ts';
import { type Changing, type Reading, storeMethods, type WholeStore } from '../store-methods.ts';
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

/** Its transactions have no time limits. While an idle store is open, no gateway starts on it. */
export async function openWholePostgres(url: string, use: 'shared' | 'idle'): Promise<WholeStore> {
  const database = makePostgresDatabase(url);
  let session: Session | undefined;
  const close = async () => {
    await session?.end();
    await database.close();
  };
  try {
    if (use === 'idle') await checkPooler(database);
    session = await database.connect({ lockMs: 0, answerMs: 0 });
    await checkServer(session);
    if (use === 'idle') await keepGatewaysOut(session);
    return { ...readingOf(database), transact: session.transact, close };
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
      yield* query(sql`SELECT pg_advisory_xact_lock(${lockKeys.ours}, ${lockKeys.migrate})`);
      return yield* migrate(postgres);
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

  const changing: Changing = {
    ...readingOf(database),
    /** Raises the revision of the boxes whose route files change, in the transaction of the change. */
    async change(operation, outdated = () => ({})) {
      const { result, revision } = await database.transact(function* () {
        const result = yield* operation();
        return { result, revision: yield* raiseRevision(outdated(result).routesOf ?? []) };
      });
      if (revision !== null) own.add(revision);
      return result;
    },
  };

  async function closeAll(): Promise<void> {
    await follower?.close();
    await managerLock.close();
    await database.close();
  }

  return {
    ...storeMethods(changing, identity),
    boxOfToken: makeTokenLookups((hashes) => database.ask(boxesOfTokens, [hashes])),
    exclusively: managerLock.exclusively,
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

function readingOf({ read }: PostgresDatabase): Reading {
  return { dialect: postgres, read };
}

/** Many tokens in one statement save round trips to the server. */
const boxesOfTokens = `SELECT token_hash AS "tokenHash", json_build_object('id', id, 'accountId', account_id) AS box
  FROM boxes WHERE token_hash = ANY($1) AND state = 'active'`;
