import type { Operation } from '../statement.ts';
import { rollBack, run, type SqliteDatabase } from './sqlite-database.ts';

/**
 * Runs operations that change something; each has happened durably when its promise resolves. `committed` is called
 * with the result before anything else runs, so that what is remembered is never older than what is answered.
 */
export type GroupCommit = {
  change<Result>(operation: Operation<Result>, committed?: (result: Result) => void): Promise<Result>;
  /** Commits what still waits. */
  flush(): void;
};

/** One operation that waits. `run` answers what there is to do once it is committed. */
type Waiting = { run(): () => void; fail(error: unknown): void };

/**
 * Changes that come in one turn of the event loop share a transaction, because syncing the disk costs more than all
 * else of them. Each stands behind a savepoint of its own: one that fails takes no other along.
 */
export function makeGroupCommit(database: SqliteDatabase): GroupCommit {
  let waiting: Waiting[] = [];

  function flush(): void {
    const group = waiting;
    waiting = [];
    if (group.length > 0) commitGroup(database, group);
  }

  return {
    flush,
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
  for (const tell of committed) tell();
}

/** A change that fails is undone and told. When it cannot be undone the whole group fails. */
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
