import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackOff, backOffMs } from '../../rules/back-off.ts';
import { lockKeys } from './manager-lock.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { removeDeadProcesses, sayGone, saySynced } from './processes.ts';
import {
  channel,
  forgetOldChanges,
  keptRevisions,
  type OwnRevisions,
  type Position,
  readChanges,
} from './revisions.ts';

/** Updates the route file of a box, or all route files for `null`. */
export type Listener = (boxId: string | null) => Promise<void>;

/** Finds changes whose notification was lost. */
const pollMs = 500;
const tidyEveryMs = 60_000;
const backOff: BackOff = { firstMs: 100, mostMs: 5_000 };
const boxesAtOnce = 16;

/**
 * This process's session. It holds the advisory lock `number`, which shows other processes that this one is alive.
 */
type Presence = { session: Session; number: number };

/**
 * Calls a listener for the boxes whose routes other processes changed after the position `from`. After a failure of the
 * connection or of the listener it repeats everything after the last position that the listener completed. When it
 * resolves, other processes wait for this one.
 */
export async function followRoutes(parts: {
  database: PostgresDatabase;
  self: string;
  own: OwnRevisions;
  from: Position;
  listener: Listener;
}): Promise<{ close(): Promise<void> }> {
  const { database, self, own, listener } = parts;
  const appear = () => showPresence(database, self, position.revision, () => news.abort());
  let position = parts.from;
  let isClosed = false;
  let news = new AbortController();
  let tidiedAt = performance.now();

  let presence: Presence | null = await appear();

  async function run(): Promise<void> {
    for (let failures = 0; !isClosed; ) {
      failures = (await attempt()) ? 0 : failures + 1;
      if (failures > 0) news = new AbortController(); // A notification must not shorten the back-off.
      await untilNews(failures === 0 ? pollMs : backOffMs(failures, backOff));
    }
  }

  async function untilNews(ms: number): Promise<void> {
    if (!isClosed) await pause(ms, undefined, { signal: news.signal }).catch(() => undefined);
    news = new AbortController();
  }

  /** False if a part failed and has to be repeated. */
  async function attempt(): Promise<boolean> {
    try {
      presence ??= await appear();
      const isDone = await catchUp(presence);
      await tidy(presence.session);
      return isDone;
    } catch {
      // The next attempt opens another connection. Requests that need the database report its failure.
      await presence?.session.end();
      presence = null;
      return false;
    }
  }

  async function catchUp({ session, number }: Presence): Promise<boolean> {
    const [read] = await session.ask<Position & { boxes: string[] | null }>(readChanges, [position.revision]);
    if (read === undefined) return false;
    const { boxes, ...next } = read;
    const behind = next.revision - position.revision; // Negative if the database was replaced by an older copy.
    const hasMissed = next.server !== position.server || behind < 0 || behind > keptRevisions;
    // A change of this process needs no call of the listener, but may hide an earlier change of the same box by
    // another process.
    if (hasMissed || !own.areAll(position.revision, next.revision)) {
      if (!(await callForEach(listener, hasMissed ? [null] : (boxes ?? [])))) return false;
      await session.ask(saySynced, [self, number, next.revision]);
    }
    if (hasMissed) own.reset();
    else own.forgetUpTo(next.revision);
    position = next;
    return true;
  }

  async function tidy(session: Session): Promise<void> {
    if (performance.now() - tidiedAt < tidyEveryMs) return;
    tidiedAt = performance.now();
    await session.transact(forgetOldChanges);
    await removeDeadProcesses(session, self);
  }

  const running = run();
  return {
    async close() {
      isClosed = true;
      news.abort();
      await running;
      await presence?.session.ask(sayGone, [self]).catch(() => undefined); // `end` releases the lock in any case.
      await presence?.session.end();
    },
  };
}

async function showPresence(
  database: PostgresDatabase,
  self: string,
  revision: number,
  onNews: () => void,
): Promise<Presence> {
  const session = await database.connect({ lockMs: 5_000, answerMs: 10_000 });
  try {
    const number = randomInt(lockKeys.processesFrom, 2 ** 31);
    await session.ask('SELECT pg_advisory_lock($1, $2)', [lockKeys.ours, number]);
    await session.ask(saySynced, [self, number, revision]);
    session.onNotification(onNews);
    await session.ask(`LISTEN ${channel}`, []);
    return { session, number };
  } catch (error) {
    await session.end();
    throw error;
  }
}

/** Returns whether all calls succeeded. The listener itself reports its failures. */
async function callForEach(listener: Listener, boxes: readonly (string | null)[]): Promise<boolean> {
  let allDone = true;
  for (let from = 0; from < boxes.length; from += boxesAtOnce) {
    const ends = await Promise.allSettled(boxes.slice(from, from + boxesAtOnce).map(listener));
    allDone &&= ends.every(({ status }) => status === 'fulfilled');
  }
  return allDone;
}
