/**
 * What goes wrong in version 15 when logins meet: a login computes the hash of its password inside a transaction,
 * so a second one, or a mutation, finds the database busy, and the transaction that it abandons keeps the write
 * lock. From then on every login and every mutation fails, until the lost connection is collected or the server is
 * started again. Version 14 has no database; there a transaction is only the time that the work takes.
 */
export type Work = 'login' | 'mutation';

export type DatabaseOptions = {
  /** Version 15. */
  locks: boolean;
  now: () => number;
  pause: (ms: number) => Promise<void>;
  /** How long the work takes, which is how near two have to come to meet. */
  durationMs: Record<Work, number>;
  /** How long a lock lasts; null: until it is healed. */
  healAfterMs: number | null;
};

export type Database = {
  /** Runs the work when its time is up, or throws `Busy` and leaves everything as it was. */
  transact<Result>(work: Work, run: () => Result): Promise<Result>;
  /** As two logins at once would leave it. */
  lock(): void;
  heal(): void;
  locked(): boolean;
  /** How often work met and locked it. */
  collisions(): number;
};

/** The database is locked. */
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

  /** Who comes second is refused, a mutation beside a login in any order; a login that was first ends well. */
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
