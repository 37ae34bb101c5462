import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OwnChanges, type Position, type RouteChange, readChanges } from '../route-changes.ts';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { RouteFollower } from './route-follower.ts';

const start: Position = { snapshot: '10:10:', readAt: 1_000_000, server: 'started on Monday' };

type Read = Position & { changes: RouteChange[] | null };

const reads: Readonly<Record<string, { read: Partial<Read>; told: (string | null)[] }>> = {
  'nothing when nothing was changed': { read: { changes: null }, told: [] },
  'each box once': {
    read: { changes: [change(11, 'box_1'), change(12, 'box_2'), change(13, 'box_1')] },
    told: ['box_1', 'box_2'],
  },
  'nothing of what this process did itself': {
    read: { changes: [change(11, 'box_1', 'self')] },
    told: [],
  },
  'of what it does not know that it did': {
    read: { changes: [change(12, 'box_1', 'self')] },
    told: ['box_1'],
  },
  'that all may be different when the server was started anew': {
    read: { server: 'started on Tuesday', changes: [change(11, 'box_1')] },
    told: [null],
  },
  'that all may be different when the log may have been shortened meanwhile': {
    read: { readAt: start.readAt + 3_600_000, changes: null },
    told: [null],
  },
  'that all may be different when the database is an older copy': {
    read: { snapshot: '5:5:', changes: null },
    told: [null],
  },
};

describe('a follower of routes tells', () => {
  for (const [what, { read, told }] of Object.entries(reads)) {
    it(what, async () => {
      const own = new OwnChanges();
      own.add(11n);
      const heard: (string | null)[] = [];
      const database = makeDatabase({ ...start, snapshot: '20:20:', changes: null, ...read });
      const follower = new RouteFollower({
        database,
        self: 'self',
        own,
        position: start,
        listener: async (boxId) => void heard.push(boxId),
      });
      await follower.start();
      await database.hasBeenRead;
      await follower.close();
      assert.deepEqual(heard, told);
    });
  }
});

/** A database of which the log answers one reading, and then nothing. */
function makeDatabase(read: Read): PostgresDatabase & { hasBeenRead: Promise<void> } {
  const { promise: hasBeenRead, resolve } = Promise.withResolvers<void>();
  let readings = 0;
  async function ask<Shape>(sql: string): Promise<Shape[]> {
    if (sql !== readChanges) return [];
    readings += 1;
    if (readings === 2) resolve();
    return [(readings === 1 ? read : { ...read, changes: null }) as Shape];
  }
  const refuse = () => assert.fail('not to be asked for');
  const session: Session = {
    ask,
    transact: refuse,
    onNotification: (listener) => setImmediate(listener),
    onEnd: () => undefined,
    end: async () => undefined,
  };
  return { hasBeenRead, ask, transact: refuse, read: refuse, connect: async () => session, close: refuse };
}

function change(transaction: number, boxId: string, process = 'other'): RouteChange {
  return { transaction: String(transaction), boxId, process };
}
