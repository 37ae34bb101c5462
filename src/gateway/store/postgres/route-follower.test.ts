import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostgresDatabase, Session } from './postgres-database.ts';
import { keptRevisions, OwnRevisions, type Position, readChanges } from './revisions.ts';
import { followRoutes } from './route-follower.ts';

type Read = Position & { boxes: string[] | null };

const start: Position = { revision: 10, server: 'started on Monday' };

const cases: Readonly<Record<string, { read: Partial<Read>; own?: number[]; heard: (string | null)[] }>> = {
  'for no box if nothing changed': { read: { boxes: null }, heard: [] },
  'for each box that changed': { read: { revision: 13, boxes: ['box_1', 'box_2'] }, heard: ['box_1', 'box_2'] },
  'for no box if this process made all changes': { read: { revision: 12, boxes: ['box_1'] }, own: [11, 12], heard: [] },
  'also for a box whose last change is its own, because an earlier one may be hidden': {
    read: { revision: 12, boxes: ['box_1'] },
    own: [12],
    heard: ['box_1'],
  },
  'for a change of another process although the commit of an own one was confirmed late': {
    read: { revision: 11, boxes: ['box_1'] },
    own: [10],
    heard: ['box_1'],
  },
  'for all boxes after the server was restarted': {
    read: { revision: 11, server: 'started on Tuesday', boxes: ['box_1'] },
    heard: [null],
  },
  'for each box if it is as far behind as changes are kept': {
    read: { revision: start.revision + keptRevisions, boxes: ['box_1'] },
    heard: ['box_1'],
  },
  'for all boxes if it is further behind': {
    read: { revision: start.revision + keptRevisions + 1, boxes: ['box_1'] },
    heard: [null],
  },
  'for all boxes if the database is an older copy': { read: { revision: 9, boxes: null }, heard: [null] },
};

describe('the follower of routes calls its listener', () => {
  for (const [name, { read, own = [], heard }] of Object.entries(cases)) {
    it(name, async () => {
      const made = new OwnRevisions();
      for (const revision of own) made.add(revision);
      const calls: (string | null)[] = [];
      const database = makeDatabase({ ...start, boxes: null, ...read });
      const follower = await followRoutes({
        database,
        self: 'self',
        own: made,
        from: start,
        listener: async (boxId) => void calls.push(boxId),
      });
      await database.wasReadTwice;
      await follower.close();
      assert.deepEqual(calls, heard);
    });
  }
});

/** A database that has changes at the first reading only. */
function makeDatabase(read: Read): PostgresDatabase & { wasReadTwice: Promise<void> } {
  const { promise: wasReadTwice, resolve } = Promise.withResolvers<void>();
  let readings = 0;
  async function ask<Shape>(sql: string): Promise<Shape[]> {
    if (sql !== readChanges) return [];
    readings += 1;
    if (readings === 2) resolve();
    return [(readings === 1 ? read : { ...read, boxes: null }) as Shape];
  }
  const refuse = () => assert.fail('unexpected call');
  const session: Session = {
    ask,
    transact: refuse,
    say: refuse,
    processId: refuse,
    onNotification: (listener) => setImmediate(listener),
    onEnd: () => undefined,
    end: async () => undefined,
  };
  return { wasReadTwice, ask, transact: refuse, read: refuse, connect: async () => session, close: refuse };
}
