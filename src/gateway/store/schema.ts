import { StoreFailed } from '../ports.ts';
import { happens, type Operation, query, queryOne } from './statement.ts';

/** The words in which the two kinds of database differ when tables are made. */
export type Dialect = {
  /** Names and ids, compared byte by byte: an order of words that changes with the system would break an index. */
  key: string;
  bytes: string;
  integer: string;
  /** Finds a row when the table `$1` is there. */
  findTable: string;
  /** Milliseconds since 1970 by the clock of the database, which all processes share. */
  now: string;
  /** Whether several processes may work on the store, and tell each other what they do. */
  shared: boolean;
};

export const sqlite: Dialect = {
  key: 'TEXT',
  bytes: 'BLOB',
  integer: 'INTEGER',
  findTable: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1",
  now: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
  shared: false,
};

export const postgres: Dialect = {
  key: 'TEXT COLLATE "C"',
  bytes: 'BYTEA',
  integer: 'BIGINT',
  findTable: 'SELECT 1 FROM pg_class WHERE oid = to_regclass($1)',
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  shared: true,
};

/** Times are milliseconds since 1970. A migration that was released is never edited: the next one changes what it made. */
export type Migration = (dialect: Dialect) => readonly string[];

const accountsBoxesAndRoutes: Migration = ({ key, bytes, integer }) => [
  `CREATE TABLE accounts (
    id ${key} PRIMARY KEY,
    created_at ${integer} NOT NULL
  )`,
  // One row. The account is that of the single tenant; the session is the tunnel manager's, sealed.
  `CREATE TABLE store (
    id ${key} PRIMARY KEY,
    account_id ${key} NOT NULL REFERENCES accounts (id),
    session ${bytes}
  )`,
  // Of a token there is only its SHA-256. A live box without an address has lost it to one that came later.
  `CREATE TABLE boxes (
    id ${key} PRIMARY KEY,
    account_id ${key} NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    peer_name ${key} NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'active')),
    token_hash ${bytes} UNIQUE,
    peer_id TEXT,
    address TEXT,
    created_at ${integer} NOT NULL,
    last_seen_at ${integer},
    CHECK (state = 'pending' OR (token_hash IS NOT NULL AND peer_id IS NOT NULL))
  )`,
  'CREATE INDEX boxes_of_account ON boxes (account_id, created_at, id)',
  'CREATE INDEX boxes_by_address ON boxes (address)',
  // The position says which of a box's routes is older, whatever the clocks of several machines say.
  `CREATE TABLE routes (
    id ${key} PRIMARY KEY,
    box_id ${key} NOT NULL REFERENCES boxes (id),
    account_id ${key} NOT NULL REFERENCES accounts (id),
    position ${integer} NOT NULL,
    app_name TEXT NOT NULL,
    subdomain ${key} NOT NULL UNIQUE,
    port ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    UNIQUE (box_id, position)
  )`,
  // Peers that have to go from the tunnel manager.
  `CREATE TABLE ledger (
    peer_name ${key} PRIMARY KEY,
    due_at ${integer} NOT NULL,
    attempts ${integer} NOT NULL
  )`,
  'CREATE INDEX ledger_by_due ON ledger (due_at, peer_name)',
];

/** What processes that share a store tell each other; a store of one process has no use for it. */
const sharing: Migration = ({ key, shared }) =>
  shared
    ? [
        // A change belongs to the transaction that made it, so that whoever knows which transactions it has seen
        // misses none, whatever the order in which they end.
        `CREATE TABLE route_changes (
          transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
          box_id ${key} NOT NULL,
          process ${key} NOT NULL,
          made_at TIMESTAMPTZ NOT NULL DEFAULT now(),
          PRIMARY KEY (transaction, box_id)
        )`,
        // A process that mirrors routes: the number of the lock that says it lives, and what it has mirrored.
        `CREATE TABLE processes (
          id ${key} PRIMARY KEY,
          number INTEGER NOT NULL,
          mirrored TEXT NOT NULL
        )`,
      ]
    : [];

/** When the last login at the tunnel manager began; null once it has ended. */
const logins: Migration = ({ integer }) => [`ALTER TABLE store ADD COLUMN login_begun_at ${integer}`];

/** Replaces the log of changes by revisions. A running process of an older version fails from then on. */
const revisions: Migration = ({ key, integer, shared }) =>
  shared
    ? [
        'DROP TABLE route_changes',
        'DROP TABLE processes',
        // One row.
        `CREATE TABLE route_revision (revision ${integer} NOT NULL)`,
        'INSERT INTO route_revision (revision) VALUES (0)',
        // The revision of the last change of each box, also of a box that was removed.
        `CREATE TABLE changed_routes (box_id ${key} PRIMARY KEY, revision ${integer} NOT NULL)`,
        'CREATE INDEX changed_routes_by_revision ON changed_routes (revision)',
        // The running processes: the advisory lock that each holds, and up to which revision its route files are.
        `CREATE TABLE processes (
          id ${key} PRIMARY KEY,
          number INTEGER NOT NULL,
          revision ${integer} NOT NULL
        )`,
      ]
    : [];

/** In order. The version of a schema is the number of migrations that made it. */
export const migrations: readonly Migration[] = [accountsBoxesAndRoutes, sharing, logins, revisions];

/** The schema version that this program works on. A release names its own, so that an update can announce a migration. */
export const storeSchema: number = migrations.length;

export type Identity = { id: string; accountId: string };

export type NewIdentity = Identity & { createdAt: number };

/**
 * Brings the schema up to date and answers which store this is; a new one becomes what `found` makes up. Whoever calls
 * holds a lock that all who migrate take.
 */
export function* migrate(
  dialect: Dialect,
  found: () => NewIdentity,
  known: readonly Migration[] = migrations,
): Operation<Identity> {
  const version = yield* readVersion(dialect, known);
  if (version === null) yield* query('CREATE TABLE schema_version (version INTEGER NOT NULL)');
  for (const migration of known.slice(version ?? 0)) for (const sql of migration(dialect)) yield* query(sql);
  if (version === null) yield* query('INSERT INTO schema_version (version) VALUES ($1)', known.length);
  else if (version < known.length) yield* query('UPDATE schema_version SET version = $1', known.length);
  return (yield* readIdentity()) ?? (yield* insertIdentity(found()));
}

/** Which store this is, for who only looks: nothing is brought up to date. */
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
  if (!(yield* happens(dialect.findTable, 'schema_version'))) return null;
  const row = yield* queryOne<{ version: number }>('SELECT version FROM schema_version');
  return row?.version ?? null;
}

function* readIdentity(): Operation<Identity | null> {
  return yield* queryOne<Identity>('SELECT id, account_id AS "accountId" FROM store');
}

function* insertIdentity({ id, accountId, createdAt }: NewIdentity): Operation<Identity> {
  yield* query('INSERT INTO accounts (id, created_at) VALUES ($1, $2)', accountId, createdAt);
  yield* query('INSERT INTO store (id, account_id) VALUES ($1, $2)', id, accountId);
  return { id, accountId };
}
