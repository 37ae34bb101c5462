import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftTag, incompleteTag, readTags, returnedTag, tagsOf } from './snapshot-tags.ts';

for (const app of ['notes', 'a,b', 'a=b', 'Ärger 100%']) {
  test(`keeps the name ${app}, without a comma`, () => {
    const tags = tagsOf({ app, reason: 'update', version: '1,5=b' });
    assert.ok(tags.every((tag) => !tag.includes(',')));
    const expected = { app, reason: 'update', version: '1,5=b', isIncomplete: false, isRemoved: false };
    assert.deepEqual(readTags(tags), expected);
    assert.deepEqual(readTags([...tags, incompleteTag]), { ...expected, isIncomplete: true });
  });
}

test('knows no backup in a first pass or in a snapshot of somebody else', () => {
  assert.equal(readTags([...tagsOf({ app: 'a', reason: 'manual', version: '1' }), draftTag]), null);
  for (const tags of [[], ['home'], ['app='], ['app=%E0%A4%A']]) assert.equal(readTags(tags), null);
  const bare = { app: 'a', reason: '', version: '', isIncomplete: false, isRemoved: false };
  assert.deepEqual(readTags(['app=a', 'other=1']), bare);
});

test('an app whose last backup its removal made is away until it comes back', () => {
  const tags = tagsOf({ app: 'a', reason: 'remove', version: '1' });
  assert.deepEqual([readTags(tags)?.isRemoved, readTags([...tags, returnedTag])?.isRemoved], [true, false]);
});
