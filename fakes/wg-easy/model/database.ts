/**
 * The locking fault of version 15: a login hashes its password inside a transaction. A concurrent login or mutation
 * finds the database busy, and its abandoned transaction keeps the write lock. Every login and mutation then fails
 * until the lost connection is collected or the server restarts. In version 14 a transaction only takes time.
 */
export type Work = 'login' | 'mutation';

export type DatabaseOptions = {
  /** Whether collisions lock it: version 15. */
  locks: boolean;
  now: () => number;
  pause: (ms: number) => Promise<void>;
  /** The duration of the work; overlapping work collides. */
  durationMs: Record<Work, number>;
  /** Duration of a lock; with `null` it lasts until `heal`. */
  healAfterMs: number | null;
};

export type Database = {
  /** Runs the work after its duration; throws `Busy` without effect on a collision. */
  transact<Result>(work: Work, run: () => Result): Promise<Result>;
  /** Locks it as two concurrent logins would. */
  lock(): void;
  heal(): void;
  locked(): boolean;
  collisions(): number;
};

export class Busy extends Error {}

type Transaction = { work: Work; lost: boolean };

export function openDatabase(options: DatabaseOptions): Database {
  const open = new Set<Transaction>();
  let lockedAt: number | null = null;
  let collisions = 0;

  const locked = () => {
    const { healAfterMs } = options;
    if (lockedAt !== null && healAfterMs !== null && options.now() >= lockedAt + healAfterMs) lockedAt = null;
    return lockedAt !== null;
  };
  const lock = () => {
    if (options.locks) lockedAt = options.now();
  };

  /** The second login fails. A mutation beside a login always fails; the login succeeds if it was first. */
  function meet(work: Work) {
    const met = [...open].filter((other) => other.work === 'login' || work === 'login');
    if (met.length === 0) return;
    for (const other of met) other.lost ||= other.work === 'mutation';
    collisions += 1;
    lock();
    throw new Busy();
  }

  return {
    transact: async (work, run) => {
      if (options.locks) {
        if (locked()) throw new Busy();
        meet(work);
      }
      const transaction = { work, lost: false };
      open.add(transaction);
      try {
        await options.pause(options.durationMs[work]);
        if (transaction.lost) throw new Busy();
        return run();
      } finally {
        open.delete(transaction);
      }
    },
    lock,
    heal: () => {
      lockedAt = null;
    },
    locked,
    collisions: () => collisions,
  };
}
