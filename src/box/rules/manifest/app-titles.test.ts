import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appTitles } from './app-titles.ts';

test('a title that two apps share has their names', () => {
  const apps = [
    { name: 'memos', title: 'Memos' },
    { name: 'diary', title: 'memos' },
    { name: 'notes', title: 'Notes' },
    { name: 'Notes', title: 'Notes' },
    { name: 'files', title: 'files' },
    { name: 'disk', title: 'Files' },
  ];
  assert.deepEqual(Object.fromEntries(appTitles(apps)), {
    memos: 'Memos (memos)',
    diary: 'memos (diary)',
    notes: 'Notes (notes)',
    Notes: 'Notes',
    files: 'files',
    disk: 'Files (disk)',
  });
  // The catalogue has the app as well.
  assert.equal(
    appTitles([
      { name: 'a', title: 'A' },
      { name: 'a', title: 'A' },
    ]).get('a'),
    'A',
  );
});
