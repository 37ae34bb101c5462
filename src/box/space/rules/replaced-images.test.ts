import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueAt, keptBecause, parseReplaced, type ReplacedImage, withReplaced, withTag } from './replaced-images.ts';

const now = new Date('2026-01-10T00:00:00Z');
const old: ReplacedImage = { id: 'a', app: 'notes', tags: ['web:1'], replacedAt: '2026-01-03T00:00:00.000Z' };

test('notes what an update has replaced, each image once, and forgets what it uses again', () => {
  const change = (from: string, to: string, service = 'web') => ({ service, from, to, tag: 'web:2' });
  const running = [
    { imageId: 'b', image: 'web:1' },
    { imageId: 'b', image: 'web:one' },
    { imageId: 'c', image: 'db:1' },
  ];
  const found = withReplaced([old], 'notes', running, [change('b', 'a'), change('b', 'a', 'job')], now);
  assert.deepEqual(found, [{ id: 'b', app: 'notes', tags: ['web:1', 'web:one'], replacedAt: now.toISOString() }]);
  assert.equal(withReplaced([old], 'notes', running, [change('b', 'x')], now).length, 2);
  assert.deepEqual(dueAt(old, 7), now);
});

const none = { ids: new Set<string>(), references: new Set<string>() };
const kept: [what: string, tags: string[], used: Partial<typeof none>, why: RegExp | null][] = [
  ['no tag', [], {}, null],
  ['the tag of its app', ['web:1'], {}, null],
  ['the tag of somebody', ['web:1', 'mine:keep'], {}, /the tag mine:keep, which boxgate did not replace/],
  ['a container', [], { ids: new Set(['a']) }, /a container uses it/],
  ['an app that names it', ['web:1'], { references: new Set(['web:1']) }, /an app names it: web:1/],
];
for (const [what, tags, used, why] of kept) {
  test(`an image with ${what} ${why === null ? 'goes' : 'stays'}`, () => {
    const found = keptBecause(old, tags, { ...none, ...used });
    if (why === null) assert.equal(found, null);
    else assert.match(found ?? '', why);
  });
}

const references: [reference: string, tagged: string][] = [
  ['web', 'web:latest'],
  ['web:1', 'web:1'],
  ['docker.io/library/web:1', 'web:1'],
  ['index.docker.io/me/web', 'me/web:latest'],
  ['127.0.0.1:5000/web', '127.0.0.1:5000/web:latest'],
  ['ghcr.io/me/web:2', 'ghcr.io/me/web:2'],
  ['web@sha256:12', 'web@sha256:12'],
];
for (const [reference, tagged] of references) {
  test(`${reference} is listed as ${tagged}`, () => assert.equal(withTag(reference), tagged));
}

test('reads its file, without what is damaged', () => {
  const damaged = [null, 7, {}, { ...old, tags: 'web:1' }, { ...old, tags: [7] }, { ...old, replacedAt: 'x' }];
  assert.deepEqual(parseReplaced(JSON.stringify([old, ...damaged])), [old]);
  for (const text of ['', '{', '{}', 'null']) assert.deepEqual(parseReplaced(text), []);
});
