import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreFailed } from '../../ports.ts';
import { mostConnections, type PostgresDatabase, type Session } from './postgres-database.ts';
import { isTimeout } from './postgres-errors.ts';

/** A notification takes milliseconds. */
const hearMs = 3_000;

/**
 * Refuses a connection pooler, such as PgBouncer, that does not keep one session of PostgreSQL for each connection, or
 * has fewer sessions than a process of the gateway. The locks and notifications of the store would fail silently.
 */
export async function checkPooler(database: PostgresDatabase): Promise<void> {
  const sessions = [await database.connect(null)];
  try {
    const [first] = sessions as [Session];
    const [row] = await first.say('SELECT pg_backend_pid() AS pid');
    // A pooler hides the server's process behind one of its own.
    if (row?.pid === first.processId()) return;
    const others = Array.from({ length: mostConnections - 1 }, () => database.connect(null));
    for (const opened of await Promise.allSettled(others))
      if (opened.status === 'fulfilled') sessions.push(opened.value);
    await Promise.all(others);
    await requireRoom(sessions);
    await requireSessions(sessions as [Session, Session]);
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
}

/** A pooler lets connections wait when its sessions are used up. */
async function requireRoom(sessions: readonly Session[]): Promise<void> {
  const answers = await Promise.allSettled(sessions.map((session) => session.say('SELECT 1')));
  const failed = answers.filter((answer) => answer.status === 'rejected');
  const other = failed.find(({ reason }) => !isTimeout(reason));
  if (other !== undefined) throw other.reason;
  if (failed.length === 0) return;
  throw new StoreFailed(
    `the connection pooler of the store serves ${answers.length - failed.length} connections of this gateway and lets the others wait: ` +
      `each process needs ${mostConnections}, so raise the pool (default_pool_size of PgBouncer) or give the address of PostgreSQL itself`,
  );
}

async function requireSessions([listener, speaker]: [Session, Session]): Promise<void> {
  const channel = `boxgate_probe_${randomBytes(8).toString('hex')}`;
  const heard = new Promise<true>((resolve) => listener.onNotification(() => resolve(true)));
  await listener.say(`LISTEN ${channel}`);
  await speaker.say(`NOTIFY ${channel}`);
  const isHeard = await Promise.race([heard, pause(hearMs, false, { ref: false })]);
  if (isHeard) return;
  throw new StoreFailed(
    'the store is behind a connection pooler that changes sessions between transactions, so locks and notifications are lost: ' +
      'set pool_mode=session for this database, or give the address of PostgreSQL itself',
  );
}
