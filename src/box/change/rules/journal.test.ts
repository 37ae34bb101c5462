import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeJournal, needsEngine } from './journal.ts';

const files = { directory: '/a', staging: '/s', steps: [], record: { path: '/r', text: '' } };
const update = { files, snapshot: '00', images: [] };
const cases: [named: Partial<ChangeJournal>, way: ChangeJournal['way'], needed: boolean][] = [
  [{ files }, 'forth', false],
  [{ files }, 'back', false],
  [update, 'back', true],
  [update, 'forth', false],
  [{ starts: [] }, 'back', true],
  [{ folders: [] }, 'back', true],
  [{ folders: [] }, 'forth', true],
];
for (const [named, way, needed] of cases) {
  test(`a journal that goes ${way} with ${Object.keys(named)} ${needed ? 'needs the engine' : 'names only files'}`, () => {
    assert.equal(needsEngine({ app: 'a', operation: 'update', way, ...named }), needed);
  });
}
