import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostgresDatabase } from './postgres-database.ts';
import { makeSyncWait } from './processes.ts';
import { OwnRevisions } from './revisions.ts';

describe('a wait for other processes', () => {
  it('sends no query if this process changed nothing', async () => {
    const database = makeDatabase();
    await makeSyncWait(database, 'self', new OwnRevisions())();
    assert.equal(database.queries.length, 0);
  });

  it('ignores the answer to a query that began before the change', async () => {
    const database = makeDatabase();
    const own = new OwnRevisions();
    const wait = makeSyncWait(database, 'self', own);
    own.add(11);
    const first = wait();
    own.add(12);
    let isOver = false;
    const second = wait().then(() => {
      isOver = true;
    });
    database.queries[0]?.(null); // The result of a query that began when there was no other process.
    await first;
    assert.equal(isOver, false);
    await database.nextQuery();
    assert.equal(isOver, false);
    database.queries[1]?.(12);
    await second;
  });

  it('ends after a second if the database does not answer', async () => {
    const own = new OwnRevisions();
    own.add(11);
    const startedAt = performance.now();
    await makeSyncWait(makeDatabase(), 'self', own)();
    const took = performance.now() - startedAt;
    assert.ok(took > 900 && took < 10_000, `${took} ms`);
  });

  it('ends when the last of the others has reached the revision', async () => {
    const database = makeDatabase();
    const own = new OwnRevisions();
    own.add(11);
    const waiting = makeSyncWait(database, 'self', own)();
    database.queries[0]?.(10);
    await database.nextQuery();
    assert.ok(own.syncedElsewhere < 11);
    database.queries[1]?.(11);
    await waiting;
    assert.equal(own.syncedElsewhere, 11);
  });
});

/** Answers with the lowest revision of the other processes; `null` without one. */
type Query = (lowest: number | null) => void;

/** A database whose answers the test gives. */
function makeDatabase(): PostgresDatabase & { queries: Query[]; nextQuery(): Promise<void> } {
  const queries: Query[] = [];
  let queried: () => void = () => undefined;
  const refuse = () => assert.fail('unexpected call');
  return {
    queries,
    nextQuery: () =>
      new Promise((resolve) => {
        queried = resolve;
      }),
    ask: <Shape>() =>
      new Promise<Shape[]>((answer) => {
        queries.push((lowest) => answer([{ lowest } as Shape]));
        queried();
      }),
    transact: refuse,
    read: refuse,
    connect: refuse,
    close: refuse,
  };
}
