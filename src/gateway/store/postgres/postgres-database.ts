import pg from 'pg';
import { StoreFailed } from '../../ports.ts';
import type { Operation, Row, Statement } from '../statement.ts';
import { fail, isConflict, isLost, isStale } from './postgres-errors.ts';

/** Whatever goes wrong is a PostgresFailed. */
type Asking = {
  /** One statement by itself, which does no harm when it runs twice. */
  ask<Shape>(sql: string, values: readonly unknown[]): Promise<Shape[]>;
  /** Runs an operation in a transaction. */
  transact<Result>(operation: () => Operation<Result>): Promise<Result>;
};

/** A PostgreSQL database, over a few connections. What has certainly not happened is tried again. */
export type PostgresDatabase = Asking & {
  /** Runs an operation that only reads, each statement by itself. */
  read<Result>(operation: Operation<Result>): Promise<Result>;
  /** A connection beside the others, for what belongs to a session: locks and notifications. */
  connect(limits: { lockMs: number; answerMs: number }): Promise<Session>;
  close(): Promise<void>;
};

/** A connection of one's own. */
export type Session = Asking & {
  onNotification(listener: () => void): void;
  /** The connection is gone, ended or not. */
  onEnd(listener: () => void): void;
  end(): Promise<void>;
};

/** With the two sessions beside them, ten processes stay below the hundred connections that a server allows. */
const pooledConnections = 7;

const connectMs = 5_000;
const endMs = 5_000;

/** A machine that lost its power gives up its locks after ten seconds and not after two hours. */
const keepAlive = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

const bigintType = 20;

/** Counts and times fit a number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === bigintType ? Number : pg.types.getTypeParser(type, format as 'text'),
};

export function makePostgresDatabase(url: string): PostgresDatabase {
  const pool = makePool({
    ...toConfig(url, { lockMs: 5_000, answerMs: 10_000 }),
    max: pooledConnections,
    idleTimeoutMillis: 30_000,
  });

  const { ask, transact } = retrying({
    ask: async (sql, values) => (await pool.query(toQuery(sql, values)).catch(fail)).rows,
    async transact(operation) {
      const client = await pool.connect().catch(fail);
      try {
        const result = await transactOn(client, operation());
        client.release();
        return result;
      } catch (error) {
        client.release(true); // What state the connection is in is not known.
        throw error;
      }
    },
  });

  return {
    ask,
    transact,
    read: (operation) => run(operation, ({ sql, params }) => ask(sql, params)),
    connect: (limits) => openSession(toConfig(url, limits)),
    close: () => atMost(endMs, pool.end()),
  };
}

/** A connection that is broken is ended as well as it can be: nobody answers the good-bye. */
async function atMost(ms: number, ending: Promise<void>): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([ending.catch(() => undefined), timeIsUp]);
  clearTimeout(timer);
}

/** The server gives up first, so that its words are what is reported; no answer at all is noticed later. */
function toConfig(url: string, { lockMs, answerMs }: { lockMs: number; answerMs: number }): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'boxgate',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: keepAlive,
    lock_timeout: lockMs,
    statement_timeout: answerMs,
    idle_in_transaction_session_timeout: answerMs,
    query_timeout: answerMs === 0 ? 0 : answerMs + 5_000,
    types,
  };
}

function makePool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  // A connection that breaks is told by the query that it carries; one that is idle is simply replaced.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

async function openSession(config: pg.ClientConfig): Promise<Session> {
  const client = makeClient(config);
  client.on('error', () => undefined); // 'end' follows.
  await client.connect().catch(fail);
  return {
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
    // The error would show the URL, which holds the password.
    throw new StoreFailed('the address of the store is no URL that the PostgreSQL driver understands');
  }
}

async function transactOn<Result>(client: pg.ClientBase, operation: Operation<Result>): Promise<Result> {
  const ask = (sql: string, params: Statement['params']) => client.query(toQuery(sql, params)).catch(fail);
  // Counts after a lock must see what the transaction before has committed, whatever the server's default level is.
  await ask('BEGIN ISOLATION LEVEL READ COMMITTED', []);
  const result = await run(operation, async ({ sql, params, locks }) => {
    const { rows } = await ask(locks ? `${sql} FOR NO KEY UPDATE` : sql, params);
    return rows;
  });
  await ask('COMMIT', []).catch(doubt);
  return result;
}

/** A connection that broke at this moment does not say whether the change has happened: it is not made twice. */
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

/** Each text is prepared once on each connection: the texts are those of the operations, so they are few. */
function toQuery(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = names.get(text) ?? `boxgate_${names.size}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}

/** Begins anew what was lost in a conflict of transactions, or, once, with a connection that was gone before. */
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
