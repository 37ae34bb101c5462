import { randomInt } from 'node:crypto';
import {
  forgetOldChanges,
  keptForMs,
  type OwnChanges,
  type Position,
  type RouteChange,
  readChanges,
} from '../route-changes.ts';
import { lockKeys } from './manager-lock.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { sayGone, sayMirrored, sweepProcesses } from './processes.ts';
import { wentBack } from './snapshot.ts';

/** A box whose routes were changed; null: bring everything in line. */
export type Listener = (boxId: string | null) => Promise<void>;

export const channel = 'boxgate_routes';

/** A notification comes at once; this is for those that were lost. */
const pollMs = 500;
const tidyEveryMs = 60_000;
const backOffMs = { first: 100, last: 5_000 };
const atATime = 16;

/** The connection, and the number of the lock by which others see that it lives. */
type Presence = { session: Session; number: number };

/**
 * Tells a listener of the routes that other processes changed. Whatever breaks, the connection or the listener, it
 * goes on from the position up to which the listener has done its work.
 */
export class RouteFollower {
  readonly #database: PostgresDatabase;
  readonly #self: string;
  readonly #own: OwnChanges;
  readonly #listener: Listener;
  #position: Position;
  #presence: Presence | null = null;
  #isClosed = false;
  #hasNews = false;
  #wake: () => void = () => undefined;
  #tidiedAt = performance.now();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: {
    database: PostgresDatabase;
    self: string;
    own: OwnChanges;
    position: Position;
    listener: Listener;
  }) {
    this.#database = parts.database;
    this.#self = parts.self;
    this.#own = parts.own;
    this.#position = parts.position;
    this.#listener = parts.listener;
  }

  /** Settles once other processes wait for this one. */
  async start(): Promise<void> {
    this.#presence = await this.#appear();
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#notice();
    await this.#running;
    if (this.#presence === null) return;
    const { session } = this.#presence;
    await session.ask(sayGone, [this.#self]).catch(() => undefined); // Others see by the lock that we are gone.
    await session.end();
  }

  async #appear(): Promise<Presence> {
    const session = await this.#database.connect({ lockMs: 5_000, answerMs: 10_000 });
    try {
      const number = randomInt(lockKeys.livesFrom, 2 ** 31);
      await session.ask('SELECT pg_advisory_lock($1, $2)', [lockKeys.ours, number]);
      await session.ask(sayMirrored, [this.#self, number, this.#position.snapshot]);
      session.onNotification(() => this.#notice());
      await session.ask(`LISTEN ${channel}`, []);
      return { session, number };
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async #run(): Promise<void> {
    let backOff = backOffMs.first;
    while (!this.#isClosed) {
      if (await this.#round()) {
        backOff = backOffMs.first;
        await this.#untilNews(pollMs);
      } else {
        this.#hasNews = false; // What is new is read in any case; it must not shorten the wait.
        await this.#untilNews(backOff);
        backOff = Math.min(backOff * 2, backOffMs.last);
      }
    }
  }

  /** False: something of it failed and is done again. */
  async #round(): Promise<boolean> {
    try {
      this.#presence ??= await this.#appear();
      const isDone = await this.#mirror(this.#presence);
      await this.#tidy(this.#presence.session);
      return isDone;
    } catch {
      // The next connection tells whether the database is there again; whoever asks it for something hears why not.
      await this.#presence?.session.end();
      this.#presence = null;
      return false;
    }
  }

  async #mirror({ session, number }: Presence): Promise<boolean> {
    const sql = readChanges;
    const [read] = await session.ask<Position & { changes: RouteChange[] | null }>(sql, [
      this.#position.snapshot,
    ]);
    if (read === undefined) return false;
    const { changes, ...next } = read;
    const boxes = this.#hasMissed(next) ? [null] : this.#changedBoxes(changes ?? []);
    if (!(await this.#tell(boxes))) return false;
    if (boxes.length > 0) await session.ask(sayMirrored, [this.#self, number, next.snapshot]);
    this.#position = next;
    return true;
  }

  #hasMissed(next: Position): boolean {
    const { snapshot, readAt, server } = this.#position;
    return (
      next.server !== server || next.readAt - readAt > keptForMs / 2 || wentBack(snapshot, next.snapshot)
    );
  }

  /** Without what this process did itself, unless it does not know that it did: the answer to a COMMIT can be lost. */
  #changedBoxes(changes: readonly RouteChange[]): string[] {
    const foreign = changes.filter(
      ({ process, transaction }) => process !== this.#self || !this.#own.has(BigInt(transaction)),
    );
    return [...new Set(foreign.map(({ boxId }) => boxId))];
  }

  /** Whether the listener did its work on all of them; what went wrong with it is the listener's to say. */
  async #tell(boxes: readonly (string | null)[]): Promise<boolean> {
    let allDone = true;
    for (let from = 0; from < boxes.length; from += atATime) {
      const told = boxes.slice(from, from + atATime).map((boxId) => this.#listener(boxId));
      const ends = await Promise.allSettled(told);
      allDone &&= ends.every(({ status }) => status === 'fulfilled');
    }
    return allDone;
  }

  async #tidy(session: Session): Promise<void> {
    if (performance.now() - this.#tidiedAt < tidyEveryMs) return;
    this.#tidiedAt = performance.now();
    await session.transact(forgetOldChanges);
    await sweepProcesses(session, this.#self);
  }

  #notice(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Until something is heard, or for so long. */
  async #untilNews(ms: number): Promise<void> {
    if (!this.#hasNews && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#hasNews = false;
  }
}
