import pg from 'pg';
import { StoreFailed } from '../../ports.ts';
import type { Operation, Row, Statement } from '../statement.ts';
import { readAddress } from './postgres-address.ts';
import { fail, isConflict, isLost, isStale } from './postgres-errors.ts';

/** Throws PostgresFailed. */
type Asking = {
  /** Runs one statement. It must be idempotent, because it may be repeated. */
  ask<Shape>(sql: string, values: readonly unknown[]): Promise<Shape[]>;
  transact<Result>(operation: () => Operation<Result>): Promise<Result>;
};

/** A pool of connections. Repeats a statement or transaction only if it certainly had no effect. */
export type PostgresDatabase = Asking & {
  /** Runs an operation that only reads, each statement by itself. */
  read<Result>(operation: Operation<Result>): Promise<Result>;
  /** Opens a connection outside the pool. `null`: with the server's own settings, for short statements. */
  connect(limits: Limits | null): Promise<Session>;
  close(): Promise<void>;
};

/** Times until a statement fails; 0 is no limit. */
type Limits = { lockMs: number; answerMs: number };

/** A connection outside the pool. */
export type Session = Asking & {
  /** Runs a statement once, without preparing it. */
  say(sql: string): Promise<Row[]>;
  /** Number of the server's process, from the start of the connection. */
  processId(): number | null;
  onNotification(listener: () => void): void;
  /** Called when the connection is closed or broken. */
  onEnd(listener: () => void): void;
  end(): Promise<void>;
};

/** With two more for its sessions, ten processes stay below the usual limit of PostgreSQL, 100 connections. */
const pooledConnections = 7;

/** A process has the pool, and a session each for the manager's lock and the route follower. */
export const mostConnections = pooledConnections + 2;

const connectMs = 5_000;
const endMs = 5_000;

/** The locks of a machine that lost its power are released after ten seconds instead of two hours. */
const keepAlive = ['tcp_keepalives_idle = 4', 'tcp_keepalives_interval = 2', 'tcp_keepalives_count = 3'];

const bigintType = 20;

/** Counts and times fit into a number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === bigintType ? Number : pg.types.getTypeParser(type, format as 'text'),
};

export function makePostgresDatabase(url: string): PostgresDatabase {
  const address = readAddress(url);
  const limits = { lockMs: 5_000, answerMs: 10_000 };
  const config = { ...toConfig(address, limits), max: pooledConnections, idleTimeoutMillis: 30_000 };
  const pool = makePool(config, limits);

  const { ask, transact } = retrying({
    ask: async (sql, values) => (await pool.query(toQuery(sql, values)).catch(fail)).rows,
    async transact(operation) {
      const client = await pool.connect().catch(fail);
      try {
        const result = await transactOn(client, operation());
        client.release();
        return result;
      } catch (error) {
        client.release(true); // Closes the connection, whose state is unknown.
        throw error;
      }
    },
  });

  return {
    ask,
    transact,
    read: (operation) => run(operation, ({ sql, params }) => ask(sql, params)),
    connect: (limits) => openSession(toConfig(address, limits), limits),
    close: () => atMost(endMs, pool.end()),
  };
}

/** Does not wait long for the end of a broken connection, and ignores its failure. */
async function atMost(ms: number, ending: Promise<void>): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([ending.catch(() => undefined), timeIsUp]);
  clearTimeout(timer);
}

function toConfig(address: pg.ClientConfig, limits: Limits | null): pg.ClientConfig {
  return {
    ...address,
    application_name: 'boxgate',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: limits?.answerMs === 0 ? 0 : (limits?.answerMs ?? 0) + 5_000,
    types,
  };
}

/**
 * The server's time limits are shorter than the client's, so that its error message is reported. They are set after the
 * start of a connection, because poolers refuse them as its parameters.
 */
function settingsOf({ lockMs, answerMs }: Limits): string {
  const limits = [
    `lock_timeout = ${lockMs}`,
    `statement_timeout = ${answerMs}`,
    `idle_in_transaction_session_timeout = ${answerMs}`,
  ];
  return [...limits, ...keepAlive].map((setting) => `SET ${setting}`).join('; ');
}

function makePool(config: pg.PoolConfig, limits: Limits): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    onConnect: async (client) => void (await client.query(settingsOf(limits))),
  });
  // The query on a broken connection reports the failure. The pool replaces idle connections.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

async function openSession(config: pg.ClientConfig, limits: Limits | null): Promise<Session> {
  const client = makeClient(config);
  client.on('error', () => undefined); // 'end' follows.
  await client.connect().catch(fail);
  const say = async (sql: string) => (await client.query<Row>(sql).catch(fail)).rows;
  if (limits !== null) await say(settingsOf(limits));
  return {
    say,
    processId: () => (client as pg.Client & { processID?: number }).processID ?? null,
    ask: async (sql, values) => (await client.query(toQuery(sql, values)).catch(fail)).rows,
    transact: (operation) => transactOn(client, operation()),
    onNotification(listener) {
      client.on('notification', listener);
    },
    onEnd(listener) {
      client.on('end', listener);
    },
    end: () => atMost(endMs, client.end()),
  };
}

function makeClient(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config);
  } catch {
    // The original error contains the URL with the password.
    throw new StoreFailed('the address of the store is no URL that the PostgreSQL driver understands');
  }
}

async function transactOn<Result>(client: pg.ClientBase, operation: Operation<Result>): Promise<Result> {
  const ask = (sql: string, params: Statement['params']) => client.query(toQuery(sql, params)).catch(fail);
  // A count after a lock must see earlier commits, whatever the server's default isolation level is.
  await ask('BEGIN ISOLATION LEVEL READ COMMITTED', []);
  const result = await run(operation, async ({ sql, params, locks }) => {
    const { rows } = await ask(locks ? `${sql} FOR NO KEY UPDATE` : sql, params);
    return rows;
  });
  await ask('COMMIT', []).catch(doubt);
  return result;
}

/** After a broken connection at COMMIT the outcome is unknown, so the change is not repeated. */
function doubt(error: unknown): never {
  if (!isLost(error)) throw error;
  throw new StoreFailed(`a change may have happened or not: ${(error as Error).message}`);
}

async function run<Result>(
  operation: Operation<Result>,
  execute: (statement: Statement) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = operation.next([]);
  while (step.done !== true) step = operation.next(await execute(step.value));
  return step.value;
}

const names = new Map<string, string>();

/** Names a statement, so that each connection prepares it once. There are few, because the SQL is constant. */
function toQuery(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `boxgate_${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}

/** Repeats after a conflict of transactions, and once after a stale connection. */
function retrying({ ask, transact }: Asking): Asking {
  async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(attempts < 5 && isConflict(error)) && !(attempts === 1 && isStale(error))) throw error;
      }
    }
  }

  return {
    ask: (sql, values) => retry(() => ask(sql, values)),
    transact: (operation) => retry(() => transact(operation)),
  };
}
