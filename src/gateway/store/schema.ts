import { StoreFailed } from '../ports.ts';
import { newId } from '../tokens.ts';
import { happens, type Operation, query, queryOne, type Statement, sql } from './statement.ts';

/** Differences between the two SQL dialects. */
export type Dialect = {
  /** Type of names and ids, compared by bytes: a collation that changes with the system would break an index. */
  key: string;
  bytes: string;
  integer: string;
  /** Returns a row if the table exists. */
  findTable(name: string): Statement;
  /** Milliseconds since 1970 by the database's clock, which all processes share. */
  now: Statement;
  /** Whether several processes may share the store. */
  shared: boolean;
};

export const sqlite: Dialect = {
  key: 'TEXT',
  bytes: 'BLOB',
  integer: 'INTEGER',
  findTable: (name) => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`,
  now: sql`CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`,
  shared: false,
};

export const postgres: Dialect = {
  key: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  integer: 'BIGINT',
  findTable: (name) => sql`SELECT 1 FROM pg_class WHERE oid = to_regclass(${name})`,
  now: sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
  shared: true,
};

/** Times are milliseconds since 1970. A released migration is never edited; a later one changes its result. */
export type Migration = (dialect: Dialect) => readonly string[];

const firstRelease: Migration = ({ key, bytes, integer, shared }) => [
  `CREATE TABLE accounts (
    id ${key} PRIMARY KEY,
    created_at ${integer} NOT NULL
  )`,
  // One row: the account of the single tenant, the tunnel manager's encrypted session, and the start of the last login
  // there, NULL after its end.
  `CREATE TABLE store (
    id ${key} PRIMARY KEY,
    account_id ${key} NOT NULL REFERENCES accounts (id),
    session ${bytes},
    login_begun_at ${integer}
  )`,
  // `token_hash` is SHA-256. `peer_key` tells the peer of a box from others, whatever their names are; NULL while it is
  // not known. A live box without an address has lost it to a later one. `copied_at` and `copied_from`: when and from
  // where heartbeats of one box came from two machines.
  `CREATE TABLE boxes (
    id ${key} PRIMARY KEY,
    account_id ${key} NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    peer_name ${key} NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'active')),
    token_hash ${bytes} UNIQUE,
    peer_id TEXT,
    peer_key TEXT,
    address TEXT,
    created_at ${integer} NOT NULL,
    last_seen_at ${integer},
    copied_at ${integer},
    copied_from TEXT,
    CHECK (state = 'pending' OR (token_hash IS NOT NULL AND peer_id IS NOT NULL))
  )`,
  'CREATE INDEX boxes_of_account ON boxes (account_id, created_at, id)',
  'CREATE INDEX boxes_by_address ON boxes (address)',
  // `position` orders the routes of a box, because the clocks of several machines may differ. `access` is JSON; NULL for
  // everybody.
  `CREATE TABLE routes (
    id ${key} PRIMARY KEY,
    box_id ${key} NOT NULL REFERENCES boxes (id),
    account_id ${key} NOT NULL REFERENCES accounts (id),
    position ${integer} NOT NULL,
    app_name TEXT NOT NULL,
    subdomain ${key} NOT NULL UNIQUE,
    port ${integer} NOT NULL,
    access TEXT,
    created_at ${integer} NOT NULL,
    UNIQUE (box_id, position)
  )`,
  // Pending peer deletions.
  `CREATE TABLE ledger (
    peer_name ${key} PRIMARY KEY,
    peer_key TEXT,
    due_at ${integer} NOT NULL,
    attempts ${integer} NOT NULL
  )`,
  'CREATE INDEX ledger_by_due ON ledger (due_at, peer_name)',
  // Boxes that the operator removed. `heard_at`: the last request with the old token; NULL without one.
  `CREATE TABLE removed_boxes (
    token_hash ${bytes} PRIMARY KEY,
    id ${key} NOT NULL,
    name TEXT NOT NULL,
    forget_at ${integer} NOT NULL,
    heard_at ${integer}
  )`,
  ...(shared ? betweenProcesses({ key, integer }) : []),
];

/** Communication between processes that share a store. */
function betweenProcesses({ key, integer }: Pick<Dialect, 'key' | 'integer'>): string[] {
  return [
    // This table has one row, the current revision.
    `CREATE TABLE route_revision (revision ${integer} NOT NULL)`,
    'INSERT INTO route_revision (revision) VALUES (0)',
    // The last revision of each box, removed boxes included.
    `CREATE TABLE changed_routes (box_id ${key} PRIMARY KEY, revision ${integer} NOT NULL)`,
    'CREATE INDEX changed_routes_by_revision ON changed_routes (revision)',
    // Running processes: the advisory lock that each holds, and the revision of its route files.
    `CREATE TABLE processes (
      id ${key} PRIMARY KEY,
      number INTEGER NOT NULL,
      revision ${integer} NOT NULL
    )`,
  ];
}

/** In order. The version of a schema is the number of migrations that made it. */
export const migrations: readonly Migration[] = [firstRelease];

/** The schema version of this program. A release names it, so that an update can announce a migration. */
export const storeSchema: number = migrations.length;

/** The ids of a store and of its single tenant's account. */
export type Identity = { id: string; accountId: string };

/** Migrates the schema and reads the ids of the store; `id` is of a new one. The caller holds a lock. */
export function* migrate(
  dialect: Dialect,
  { known = migrations, id = newId('store') }: { known?: readonly Migration[]; id?: string } = {},
): Operation<Identity> {
  const version = yield* readVersion(dialect, known);
  if (version === null) yield* query(sql`CREATE TABLE schema_version (version INTEGER NOT NULL)`);
  for (const migration of known.slice(version ?? 0))
    for (const text of migration(dialect)) yield* query({ sql: text, params: [] });
  if (version === null) yield* query(sql`INSERT INTO schema_version (version) VALUES (${known.length})`);
  else if (version < known.length) yield* query(sql`UPDATE schema_version SET version = ${known.length}`);
  return (yield* readIdentity()) ?? (yield* insertIdentity(id));
}

/** Reads the ids of the store without migrating it. */
export function* identify(dialect: Dialect): Operation<Identity> {
  const version = yield* readVersion(dialect, migrations);
  const identity = version === migrations.length ? yield* readIdentity() : null;
  if (identity !== null) return identity;
  const has = version === null ? 'no tables yet' : `schema version ${version}, expected ${migrations.length}`;
  throw new StoreFailed(`the store has ${has}: start the gateway once to bring it up to date`);
}

function* readVersion(dialect: Dialect, known: readonly Migration[]): Operation<number | null> {
  const version = yield* schemaVersion(dialect);
  if (version !== null && version > known.length) {
    throw new StoreFailed(
      `the store has schema version ${version}, this program knows up to ${known.length}: start a newer boxgate`,
    );
  }
  return version;
}

/** `null` if the store has no tables yet. */
export function* schemaVersion(dialect: Dialect): Operation<number | null> {
  if (!(yield* happens(dialect.findTable('schema_version')))) return null;
  const row = yield* queryOne<{ version: number }>(sql`SELECT version FROM schema_version`);
  return row?.version ?? null;
}

function* readIdentity(): Operation<Identity | null> {
  return yield* queryOne<Identity>(sql`SELECT id, account_id AS "accountId" FROM store`);
}

function* insertIdentity(id: string): Operation<Identity> {
  const accountId = newId('acc');
  yield* query(sql`INSERT INTO accounts (id, created_at) VALUES (${accountId}, ${Date.now()})`);
  yield* query(sql`INSERT INTO store (id, account_id) VALUES (${id}, ${accountId})`);
  return { id, accountId };
}
