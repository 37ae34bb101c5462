import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterFailure,
  afterLook,
  failureOf,
  isOldEnough,
  type KnownNewer,
  nothingKnown,
  parseKnown,
} from './known-versions.ts';

const image = (of: string, to: string) => ({ what: 'image' as const, of, to });
const version = (to: string) => ({ what: 'catalogue' as const, of: 'notes', to });
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours));
const known = (one: ReturnType<typeof image> | ReturnType<typeof version>, hours: number): KnownNewer => ({
  ...one,
  since: at(hours).toISOString(),
});

test('a newer version keeps the time at which it was seen first, until it is another one', () => {
  const first = afterLook(
    nothingKnown,
    new Map([
      ['notes', [image('web:1', 'a'), version('2')]],
      ['feeds', []],
    ]),
    [],
    at(0),
  );
  assert.deepEqual(first.apps, { notes: [known(image('web:1', 'a'), 0), known(version('2'), 0)] });
  const second = afterLook(first, new Map([['notes', [image('web:1', 'b'), version('2')]]]), [], at(5));
  assert.deepEqual(second.apps, { notes: [known(image('web:1', 'b'), 5), known(version('2'), 0)] });
  assert.equal(second.lookedAt, at(5).toISOString());
  assert.deepEqual(afterLook(second, new Map([['notes', []]]), [], at(6)).apps, {});
  assert.deepEqual(afterLook(second, new Map(), [], at(6)).apps, {});
});

test('a registry that does not answer keeps what was known', () => {
  const before = afterLook(nothingKnown, new Map([['notes', [image('web:1', 'a')]]]), [], at(0));
  const problems = [{ image: 'web:1', reason: 'does not answer' }];
  const after = afterLook(before, new Map([['notes', []]]), problems, at(1));
  assert.deepEqual([after.apps, after.problems], [before.apps, problems]);
});

const ages: [what: string, newer: KnownNewer[], isOld: boolean][] = [
  ['nothing', [], false],
  ['a version of the right age', [known(version('2'), 0)], true],
  ['a version that is too new', [known(version('2'), 1)], false],
  [
    'an old version beside a new image, which its update would not pull',
    [known(version('2'), 0), known(image('a', 'x'), 9)],
    true,
  ],
  ['an old and a new image', [known(image('a', 'x'), 0), known(image('b', 'y'), 9)], false],
  ['two old images', [known(image('a', 'x'), 0), known(image('b', 'y'), 0)], true],
];
for (const [what, newer, isOld] of ages) {
  test(`${what}: ${isOld ? 'is' : 'is not'} updated`, () => assert.equal(isOldEnough(newer, 72, at(72)), isOld));
}

test('remembers what an update was rolled back from, until there is something else', () => {
  const first = afterLook(nothingKnown, new Map([['notes', [version('2'), image('a', 'x')]]]), [], at(0));
  const failed = afterFailure(first, 'notes', at(5));
  assert.equal(failureOf(failed.apps.notes ?? []), at(5).toISOString());
  assert.equal(failureOf(failed.apps.notes?.filter(({ what }) => what === 'image') ?? []), null, 'was not pulled');
  const again = afterLook(failed, new Map([['notes', [version('2'), image('a', 'x')]]]), [], at(6));
  assert.deepEqual(again.apps, failed.apps);
  assert.deepEqual(parseKnown(JSON.stringify(again)), again);
  assert.equal(failureOf(afterLook(again, new Map([['notes', [version('3')]]]), [], at(7)).apps.notes ?? []), null);
  assert.equal(afterFailure(failed, 'unknown', at(8)), failed);
  assert.equal(failureOf([]), null);
});

test('reads its file, without what is damaged', () => {
  const whole = {
    ...afterLook(nothingKnown, new Map([['notes', [version('2')]]]), [{ image: 'a', reason: 'b' }], at(0)),
  };
  assert.deepEqual(parseKnown(JSON.stringify({ ...whole, isEnabled: true })), { ...whole, isEnabled: true });
  const damaged = { lookedAt: 7, apps: { a: 7, b: [7], c: [{ what: 'image' }] }, problems: [7], minAgeHours: 'x' };
  assert.deepEqual(parseKnown(JSON.stringify(damaged)), nothingKnown);
  assert.deepEqual(parseKnown('{"apps":7,"problems":7}'), nothingKnown);
  for (const text of ['', '[]', '{']) assert.deepEqual(parseKnown(text), nothingKnown);
});
