import type { Operation } from '../statement.ts';
import { rollBack, run, type SqliteDatabase } from './sqlite-database.ts';

/** A waiting operation. `run` returns what to call after the commit. */
type Waiting = { run(): () => void; fail(error: unknown): void };

/**
 * Operations of one turn of the event loop share a transaction, because syncing the disk is the largest cost. Each has a
 * savepoint, so that a failure does not affect the others.
 */
export function makeGroupCommit(database: SqliteDatabase) {
  let waiting: Waiting[] = [];

  function flush(): void {
    const group = waiting;
    waiting = [];
    if (group.length > 0) commitGroup(database, group);
  }

  return {
    /** Commits all waiting operations. */
    flush,
    /**
     * Runs an operation that writes. It is durable when its promise resolves. `committed` is called with the result right
     * after the commit, so that caches are never older than answers.
     */
    change<Result>(operation: Operation<Result>, committed?: (result: Result) => void): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({
          run() {
            const result = run(database, operation);
            return () => {
              committed?.(result);
              resolve(result);
            };
          },
          fail: reject,
        });
        if (waiting.length === 1) setImmediate(flush);
      });
    },
  };
}

function commitGroup(database: SqliteDatabase, group: readonly Waiting[]): void {
  const committed: (() => void)[] = [];
  try {
    database.all('BEGIN IMMEDIATE', []);
    for (const change of group) isolate(database, change, committed);
    database.all('COMMIT', []);
  } catch (error) {
    rollBack(database);
    for (const change of group) change.fail(error);
    return;
  }
  for (const report of committed) report();
}

/** Rolls back and rejects a failed operation. If the roll-back fails, the whole group fails. */
function isolate(database: SqliteDatabase, change: Waiting, committed: (() => void)[]): void {
  database.all('SAVEPOINT change', []);
  try {
    committed.push(change.run());
  } catch (error) {
    database.all('ROLLBACK TO change', []);
    change.fail(error);
  }
  database.all('RELEASE change', []);
}
