import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnChanges } from '../route-changes.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { makeMirrorWait } from './processes.ts';
import type { Snapshot } from './snapshot.ts';

describe('a wait for other processes', () => {
  it('asks nobody when nothing was changed', async () => {
    const database = makeDatabase();
    await makeMirrorWait(database, 'self', new OwnChanges())();
    assert.equal(database.looks.length, 0);
  });

  it('takes no look for an answer that began before the change', async () => {
    const database = makeDatabase();
    const own = new OwnChanges();
    const wait = makeMirrorWait(database, 'self', own);
    own.add(11n);
    const first = wait();
    own.add(12n);
    let isOver = false;
    const second = wait().then(() => {
      isOver = true;
    });
    database.looks[0]?.([]); // Nobody else was there when it began.
    await first;
    assert.equal(isOver, false);
    await database.nextLook();
    assert.equal(isOver, false);
    database.looks[1]?.([{ mirrored: '13:13:' }]);
    await second;
  });

  it('is over after a second when the database does not answer', async () => {
    const own = new OwnChanges();
    own.add(11n);
    const startedAt = performance.now();
    await makeMirrorWait(makeDatabase(), 'self', own)();
    const took = performance.now() - startedAt;
    assert.ok(took > 900 && took < 10_000, `${took} ms`);
  });

  it('is over when the last of the others has got so far', async () => {
    const database = makeDatabase();
    const own = new OwnChanges();
    own.add(11n);
    const waiting = makeMirrorWait(database, 'self', own)();
    database.looks[0]?.([{ mirrored: '20:20:' }, { mirrored: '11:20:11' }]);
    await database.nextLook();
    assert.deepEqual(own.unmirrored(), [11n]);
    database.looks[1]?.([{ mirrored: '20:20:' }, { mirrored: '12:20:' }]);
    await waiting;
    assert.deepEqual(own.unmirrored(), []);
  });
});

type Look = (others: { mirrored: Snapshot }[]) => void;

/** A database that is asked who has mirrored what, and answers when it is told to. */
function makeDatabase(): PostgresDatabase & { looks: Look[]; nextLook(): Promise<void> } {
  const looks: Look[] = [];
  let looked: () => void = () => undefined;
  const refuse = () => assert.fail('not to be asked for');
  return {
    looks,
    nextLook: () =>
      new Promise((resolve) => {
        looked = resolve;
      }),
    ask: <Shape>() =>
      new Promise<Shape[]>((answer) => {
        looks.push(answer as unknown as Look);
        looked();
      }),
    transact: refuse,
    read: refuse,
    connect: refuse,
    close: refuse,
  };
}
